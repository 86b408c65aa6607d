"""openai-agents and pydantic-ai."""

import os

from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI
from pydantic_ai import Agent as PydanticAgent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel as PydanticResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from anthropic import AsyncAnthropic

from checks import BASE, KEY, V1, check, main

set_tracing_disabled(True)
QUESTION = "How is the weather in Seoul?"
ANSWER = "It is sunny in Seoul."
HEADERS = {"X-Tool-Stream": "openai"}


@function_tool
def get_weather(city: str) -> str:
    """The weather of a city."""
    return "sunny"


def plain_weather(city: str) -> str:
    """The weather of a city."""
    return "sunny"


plain_weather.__name__ = "get_weather"


@check
async def openai_agents():
    """agents of openai-agents, whole and streamed, by chats and by responses"""
    for kind in (OpenAIChatCompletionsModel, OpenAIResponsesModel):
        client = AsyncOpenAI(base_url=V1, api_key=KEY, default_headers=HEADERS)
        agent = Agent(name="Weather", model=kind(model="CORE-GOV-THINK", openai_client=client), tools=[get_weather])
        assert (await Runner.run(agent, QUESTION)).final_output == ANSWER, kind
        streamed = Runner.run_streamed(agent, QUESTION)
        async for _ in streamed.stream_events():
            pass
        assert streamed.final_output == ANSWER, kind


@check
async def pydantic_ai():
    """agents of pydantic-ai by chats, responses and messages"""
    openai = OpenAIProvider(openai_client=AsyncOpenAI(base_url=V1, api_key=KEY, default_headers=HEADERS))
    anthropic = AnthropicProvider(anthropic_client=AsyncAnthropic(base_url=BASE, auth_token=KEY))
    for model in (
        OpenAIChatModel("CORE-GOV-THINK", provider=openai),
        PydanticResponsesModel("CORE-GOV-THINK", provider=openai),
        AnthropicModel("CORE-GOV", provider=anthropic),
    ):
        agent = PydanticAgent(model, tools=[plain_weather])
        assert (await agent.run(QUESTION)).output == ANSWER, model
        async with agent.run_stream(QUESTION) as streamed:
            assert await streamed.get_output() == ANSWER, model


main()
