"""a2a-sdk 1.x: answers, questions and failures by the card alone."""

import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import Message, Part, Role, SendMessageRequest, TaskState

from checks import KEY, card_url, check, main


async def say(name, text, streaming, task=None):
    async with httpx.AsyncClient(timeout=60, headers={"Authorization": f"Bearer {KEY}"}) as http:
        card = await A2ACardResolver(httpx_client=http, base_url=card_url(name)).get_agent_card()
        client = ClientFactory(ClientConfig(httpx_client=http, streaming=streaming)).create(card)
        message = Message(role=Role.ROLE_USER, message_id=uuid.uuid4().hex, parts=[Part(text=text)])
        if task is not None:
            message.task_id, message.context_id = task.id, task.context_id
        events = [event async for event in client.send_message(SendMessageRequest(message=message))]
        return events


def last_task(events):
    return next(event.task for event in reversed(events) if event.HasField("task"))


@check
async def answer():
    """an answer, whole and in pieces"""
    for streaming in (False, True):
        events = await say("plain", "What is the capital?", streaming)
        task = last_task(events)
        assert task.status.state == TaskState.TASK_STATE_COMPLETED, events
        assert "".join(part.text for part in task.artifacts[0].parts) == "The answer is 42.", task
        if streaming:
            pieces = [event.artifact_update for event in events if event.HasField("artifact_update")]
            assert "".join(part.text for piece in pieces for part in piece.artifact.parts) == "The answer is 42.", events


@check
async def question():
    """a question, and its answer"""
    asked = last_task(await say("asking", "A car", True))
    assert asked.status.state == TaskState.TASK_STATE_INPUT_REQUIRED, asked
    assert asked.status.message.parts[0].text == "Which colour?", asked
    done = last_task(await say("asking", "Red", True, asked))
    assert done.artifacts[0].parts[0].text == "A car in Red", done


@check
async def failure():
    """a failure"""
    task = last_task(await say("failing", "x", True))
    assert task.status.state == TaskState.TASK_STATE_FAILED and "broken" in task.status.message.parts[0].text, task


main()
