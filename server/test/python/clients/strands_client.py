"""Strands, BeeAI and a2a-sdk 0.3: agents that are found by their cards."""

import base64
import logging
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import DataPart, FilePart, FileWithBytes, Message, Part, Role, TextPart
from beeai_framework.adapters.a2a.agents import A2AAgent as BeeAgent
from beeai_framework.adapters.a2a.agents.agent import A2AAgentParameters
from beeai_framework.memory import UnconstrainedMemory
from strands.agent.a2a_agent import A2AAgent

from checks import KEY, card_url, check, main

logging.disable(logging.WARNING)
HEADERS = {"Authorization": f"Bearer {KEY}"}


def strands(name):
    http = httpx.AsyncClient(timeout=60, headers=HEADERS)
    return A2AAgent(endpoint=card_url(name), a2a_client_factory=ClientFactory(ClientConfig(httpx_client=http)))


def text_of(result):
    return "".join(block.get("text", "") for block in result.message["content"])


@check
async def strands_agent():
    """Strands: an answer, a question, a failure"""
    assert text_of(await strands("plain").invoke_async("Hi")) == "The answer is 42."
    assert text_of(await strands("asking").invoke_async("A car")) == "Which colour?"
    assert "broken" in text_of(await strands("failing").invoke_async("x"))


@check
async def sdk():
    """a2a-sdk 0.3: an answer, whole and in pieces"""
    for streaming in (False, True):
        async with httpx.AsyncClient(timeout=60, headers=HEADERS) as http:
            card = await A2ACardResolver(httpx_client=http, base_url=card_url("plain")).get_agent_card()
            client = ClientFactory(ClientConfig(httpx_client=http, streaming=streaming)).create(card)
            message = Message(role=Role.user, message_id=uuid.uuid4().hex, parts=[Part(root=TextPart(text="Hi"))])
            task = None
            async for event in client.send_message(message):
                task = event[0]
        assert task.status.state == "completed", task
        assert "".join(part.root.text for part in task.artifacts[0].parts) == "The answer is 42.", task


@check
async def parts():
    """data and files beside a text: a2a-sdk 0.3 has all of them, Strands and BeeAI the text"""
    async with httpx.AsyncClient(timeout=60, headers=HEADERS) as http:
        card = await A2ACardResolver(httpx_client=http, base_url=card_url("parts")).get_agent_card()
        client = ClientFactory(ClientConfig(httpx_client=http, streaming=True)).create(card)
        sent = [
            Part(root=TextPart(text="Stock")),
            Part(root=DataPart(data={"rows": [1]})),
            Part(root=FilePart(file=FileWithBytes(bytes=base64.b64encode(b"Hello").decode(), name="hello.txt"))),
        ]
        message = Message(role=Role.user, message_id=uuid.uuid4().hex, parts=sent)
        task = None
        async for event in client.send_message(message):
            task = event[0]
    text, data, written, file = [artifact.parts[0].root for artifact in task.artifacts]
    assert text.text.startswith("Here: Stock"), task
    assert data.data == {"expression": "6 * 7", "value": "42", "exact": True}, task
    assert base64.b64decode(written.file.bytes) == b"Stock" and written.file.name == "note.md", task
    assert base64.b64decode(file.file.bytes) == b"Hello" and file.file.name == "hello.txt", task
    assert "Here: Stock" in text_of(await strands("parts").invoke_async("Stock"))


@check
async def bee():
    """BeeAI: an answer, a question and what follows"""
    parameters = A2AAgentParameters(httpx_async_client={"headers": HEADERS, "timeout": 60})

    def agent(name):
        return BeeAgent(url=card_url(name), memory=UnconstrainedMemory(), parameters=parameters)

    assert (await agent("plain").run("Hi")).last_message.text == "The answer is 42."
    asking = agent("asking")
    assert (await asking.run("A car")).last_message.text == "Which colour?"
    assert (await asking.run("Red")).last_message.text == "A car in Red"


main()
