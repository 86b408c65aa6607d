"""Microsoft Agent Framework: agents that are found by their cards."""

import httpx
from a2a.client import A2ACardResolver
from agent_framework_a2a import A2AAgent

from checks import KEY, card_url, check, main


async def say(name, *texts, stream=False):
    async with httpx.AsyncClient(timeout=60, headers={"Authorization": f"Bearer {KEY}"}) as http:
        card = await A2ACardResolver(httpx_client=http, base_url=card_url(name)).get_agent_card()
        async with A2AAgent(name=card.name, agent_card=card, url=card_url(name), http_client=http) as agent:
            session = agent.create_session()
            if stream:
                return "".join([update.text async for update in agent.run(texts[0], session=session, stream=True)])
            return [(await agent.run(text, session=session)).text for text in texts]


@check
async def answer():
    """an answer, whole and streamed"""
    assert await say("plain", "What is the capital?") == ["The answer is 42."]
    assert await say("plain", "What is the capital?", stream=True) == "The answer is 42."


@check
async def question():
    """a question, and its answer"""
    assert await say("asking", "A car", "Red") == ["Which colour?", "A car in Red"]


@check
async def parts():
    """data and files beside a text"""
    async with httpx.AsyncClient(timeout=60, headers={"Authorization": f"Bearer {KEY}"}) as http:
        card = await A2ACardResolver(httpx_client=http, base_url=card_url("parts")).get_agent_card()
        async with A2AAgent(name=card.name, agent_card=card, url=card_url("parts"), http_client=http) as agent:
            reply = await agent.run("Stock", session=agent.create_session())
    contents = [content for message in reply.messages for content in message.contents]
    assert "Here: Stock" in reply.text, reply
    assert any((content.uri or "").startswith("data:text/markdown;base64,") for content in contents), contents


@check
async def failure():
    """a failure"""
    assert "broken" in (await say("failing", "x"))[0]


main()
