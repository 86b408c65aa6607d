"""Google ADK: agents that are found by their cards."""

import logging
import warnings

import httpx

warnings.simplefilter("ignore")
logging.disable(logging.WARNING)
from google.adk.agents.remote_a2a_agent import RemoteA2aAgent
from google.adk.runners import InMemoryRunner
from google.genai import types

from checks import KEY, card_url, check, main


async def say(name, *texts):
    http = httpx.AsyncClient(timeout=60, headers={"Authorization": f"Bearer {KEY}"})
    agent = RemoteA2aAgent(name="remote", agent_card=f"{card_url(name)}/.well-known/agent-card.json", httpx_client=http)
    runner = InMemoryRunner(agent=agent, app_name="test")
    session = await runner.session_service.create_session(app_name="test", user_id="somebody")
    answers = []
    for text in texts:
        message = types.Content(role="user", parts=[types.Part(text=text)])
        said = [event async for event in runner.run_async(user_id="somebody", session_id=session.id, new_message=message)]
        answers.append(said)
    return answers


def texts(events):
    return ["".join(part.text or "" for part in event.content.parts) for event in events if event.content and event.content.parts]


@check
async def answer():
    """an answer, and another in the same session"""
    for events in await say("plain", "What is the capital?", "And again?"):
        assert texts(events)[-1] == "The answer is 42.", events


@check
async def question():
    """a question, and its answer"""
    _, done = await say("asking", "A car", "Red")
    assert texts(done)[-1] == "A car in Red", done


@check
async def parts():
    """data and files beside a text"""
    (events,) = await say("parts", "Stock")
    given = [part for event in events if event.content for part in event.content.parts or []]
    assert "Here: Stock" in "".join(part.text or "" for part in given), events
    assert any(part.inline_data and part.inline_data.data == b"Stock" for part in given), events
    assert any(b"42" in (part.inline_data.data if part.inline_data else b"") for part in given), events


@check
async def failure():
    """a failure"""
    (events,) = await say("failing", "x")
    assert "broken" in texts(events)[-1], events


main()
