# The Responses interface with the openai package: an answer that is kept, and a stream that goes on with it: pip install openai
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… python examples/python/responses.py
import os

from openai import OpenAI

client = OpenAI(base_url=os.environ["STUDIO_URL"] + "/v1", api_key=os.environ["STUDIO_API_KEY"])

first = client.responses.create(model="CORE-GOV", input="12 * 12?")
print("answer:", first.output_text)

for event in client.responses.create(model="CORE-GOV", input="7 * 8?", previous_response_id=first.id, stream=True):
    if event.type == "response.output_text.delta":
        print(event.delta, end="", flush=True)
    if event.type == "response.completed":
        print("\ntokens:", event.response.usage.total_tokens)
