"""langchain-openai, langchain-anthropic and langgraph."""

from langchain_anthropic import ChatAnthropic
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

from checks import BASE, KEY, V1, check, main


@tool
def get_weather(city: str) -> str:
    """The weather of a city."""
    return "sunny"


def models():
    common = {"base_url": V1, "api_key": KEY, "model": "CORE-GOV-THINK", "default_headers": {"X-Tool-Stream": "openai"}}
    yield "chat", ChatOpenAI(**common)
    yield "responses", ChatOpenAI(**common, use_responses_api=True)
    yield "messages", ChatAnthropic(base_url=BASE, api_key=KEY, model="CORE-GOV", default_headers={"Authorization": f"Bearer {KEY}"})


@check
def chats():
    """chats by three interfaces, whole and streamed"""
    for name, model in models():
        assert model.invoke("Hi").text == "The answer is 42.", name
        assert "".join(chunk.text for chunk in model.stream("Hi")) == "The answer is 42.", name


@check
def graph():
    """an agent of langgraph that uses a tool, by three interfaces"""
    for name, model in models():
        agent = create_react_agent(model, [get_weather])
        messages = agent.invoke({"messages": [("user", "How is the weather in Seoul?")]})["messages"]
        assert messages[-1].text == "It is sunny in Seoul.", (name, messages)


main()
