"""anthropic: messages, streams, tools, counts of tokens."""

from anthropic import Anthropic, NotFoundError

from checks import BASE, KEY, check, main

client = Anthropic(base_url=BASE, auth_token=KEY, api_key=None)
WEATHER = {
    "name": "get_weather",
    "description": "The weather of a city",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
HI = [{"role": "user", "content": "Hi"}]


@check
def message():
    """a message, whole and streamed"""
    whole = client.messages.create(model="CORE-GOV", max_tokens=100, messages=HI)
    assert whole.content[0].text == "The answer is 42.", whole
    assert whole.stop_reason == "end_turn"
    with client.messages.stream(model="CORE-GOV", max_tokens=100, messages=HI) as stream:
        assert "".join(stream.text_stream) == "The answer is 42."


@check
def tools():
    """a tool, and its result"""
    question = [{"role": "user", "content": "How is the weather in Seoul?"}]
    called = client.messages.create(model="CORE-GOV", max_tokens=100, messages=question, tools=[WEATHER])
    use = called.content[-1]
    assert (use.type, use.name, use.input, called.stop_reason) == ("tool_use", "get_weather", {"city": "Seoul"}, "tool_use")
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": use.id, "content": "sunny"}]}
    said = client.messages.create(
        model="CORE-GOV",
        max_tokens=100,
        messages=[*question, {"role": "assistant", "content": called.content}, result],
        tools=[WEATHER],
    )
    assert said.content[0].text == "It is sunny in Seoul.", said


@check
def tokens():
    """a count of tokens, and a refusal as its own error"""
    assert client.messages.count_tokens(model="CORE-GOV", messages=HI).input_tokens > 0
    try:
        client.messages.create(model="nothing", max_tokens=10, messages=HI)
    except NotFoundError as error:
        assert error.body["error"]["type"] == "not_found_error", error.body
    else:
        raise AssertionError("it was taken")


main()
