"""openai: chats, responses, embeddings, models, files and batches."""

import base64
import io
import json
import struct
import time

from openai import BadRequestError, OpenAI

from checks import KEY, V1, check, main

client = OpenAI(base_url=V1, api_key=KEY)
WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather of a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
QUESTION = [{"role": "user", "content": "How is the weather in Seoul?"}]


@check
def chat():
    """a chat, whole and streamed"""
    whole = client.chat.completions.create(model="CORE-GOV", messages=[{"role": "user", "content": "Hi"}])
    assert whole.choices[0].message.content == "The answer is 42.", whole
    pieces = client.chat.completions.create(model="CORE-GOV", messages=[{"role": "user", "content": "Hi"}], stream=True)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in pieces if chunk.choices)
    assert text == "The answer is 42.", text


@check
def tools():
    """calls of tools of a model that thinks, streamed with X-Tool-Stream"""
    with client.chat.completions.stream(
        model="CORE-GOV-THINK", messages=QUESTION, tools=[WEATHER], extra_headers={"X-Tool-Stream": "openai"}
    ) as stream:
        message = stream.get_final_completion().choices[0].message
    call = message.tool_calls[0]
    assert (call.function.name, json.loads(call.function.arguments)) == ("get_weather", {"city": "Seoul"}), message


@check
def responses():
    """a response, whole, streamed, and with a function"""
    whole = client.responses.create(model="CORE-GOV", input="Hi")
    assert whole.output_text == "The answer is 42.", whole
    with client.responses.stream(model="CORE-GOV", input="Hi") as stream:
        types = [event.type for event in stream]
        assert stream.get_final_response().output_text == "The answer is 42."
    assert types[0] == "response.created" and types[-1] == "response.completed", types
    tool = {"type": "function", "name": "get_weather", "parameters": WEATHER["function"]["parameters"], "strict": False}
    called = client.responses.create(model="CORE-GOV", input=QUESTION, tools=[tool])
    assert [item.type for item in called.output] == ["function_call"], called.output
    said = client.responses.create(
        model="CORE-GOV",
        input=[*QUESTION, called.output[0], {"type": "function_call_output", "call_id": called.output[0].call_id, "output": "sunny"}],
        tools=[tool],
    )
    assert said.output_text == "It is sunny in Seoul.", said


@check
def embeddings():
    """embeddings, which it asks for as base64, and models"""
    vectors = client.embeddings.create(model="embedder", input=["one", "two"])
    assert [len(item.embedding) for item in vectors.data] == [4, 4], vectors
    raw = client.embeddings.create(model="embedder", input="one", encoding_format="base64")
    assert len(struct.unpack("<4f", base64.b64decode(raw.data[0].embedding))) == 4
    assert "CORE-GOV" in [model.id for model in client.models.list()]


@check
def batches():
    """a file and a batch of it"""
    lines = [
        {"custom_id": f"q{at}", "method": "POST", "url": "/v1/chat/completions",
         "body": {"model": "CORE-GOV", "messages": [{"role": "user", "content": "Hi"}]}}
        for at in range(3)
    ]
    data = io.BytesIO("\n".join(json.dumps(line) for line in lines).encode())
    file = client.files.create(file=("lines.jsonl", data), purpose="batch")
    batch = client.batches.create(input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h")
    end = time.monotonic() + 120
    while batch.status not in ("completed", "failed", "expired", "cancelled") and time.monotonic() < end:
        time.sleep(0.3)
        batch = client.batches.retrieve(batch.id)
    assert batch.status == "completed", batch
    rows = [json.loads(line) for line in client.files.content(batch.output_file_id).text.strip().split("\n")]
    assert sorted(row["custom_id"] for row in rows) == ["q0", "q1", "q2"], rows
    assert all(row["response"]["body"]["choices"][0]["message"]["content"] == "The answer is 42." for row in rows)


@check
def failures():
    """a refusal as its own error"""
    try:
        client.chat.completions.create(model="nothing", messages=[{"role": "user", "content": "Hi"}])
    except BadRequestError as error:
        assert error.param == "model", error
    else:
        raise AssertionError("it was taken")


main()
