"""litellm: chats and tools, whole and streamed, embeddings."""

import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm

from checks import KEY, V1, check, main

COMMON = {"api_base": V1, "api_key": KEY}
HI = [{"role": "user", "content": "Hi"}]
WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather of a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


@check
def chat():
    """a chat, whole and streamed"""
    whole = litellm.completion(model="openai/CORE-GOV", messages=HI, **COMMON)
    assert whole.choices[0].message.content == "The answer is 42.", whole
    pieces = litellm.completion(model="openai/CORE-GOV", messages=HI, stream=True, **COMMON)
    assert "".join(piece.choices[0].delta.content or "" for piece in pieces) == "The answer is 42."


@check
def tools():
    """calls of tools of a model that thinks, streamed"""
    chunks = list(
        litellm.completion(
            model="openai/CORE-GOV-THINK",
            messages=[{"role": "user", "content": "How is the weather in Seoul?"}],
            tools=[WEATHER],
            stream=True,
            extra_headers={"X-Tool-Stream": "openai"},
            **COMMON,
        )
    )
    call = litellm.stream_chunk_builder(chunks).choices[0].message.tool_calls[0]
    assert (call.function.name, call.function.arguments.replace(" ", "")) == ("get_weather", '{"city":"Seoul"}'), call


@check
def embeddings():
    """embeddings"""
    vectors = litellm.embedding(model="openai/embedder", input=["one", "two"], **COMMON)
    assert [len(item["embedding"]) for item in vectors.data] == [4, 4], vectors


main()
