# A whole reply with its thinking, and a stream, with the openai package: pip install openai
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… python examples/python/chat.py
import os

from openai import OpenAI

client = OpenAI(base_url=os.environ["STUDIO_URL"] + "/v1", api_key=os.environ["STUDIO_API_KEY"])

reply = client.chat.completions.create(
    model="CORE-GOV-THINK",
    messages=[{"role": "user", "content": "12 × 12는 얼마인가요?"}],
)
message = reply.choices[0].message
print("thinking:", message.reasoning_content)
print("answer:", message.content)

for chunk in client.chat.completions.create(
    model="CORE-GOV", messages=[{"role": "user", "content": "Who are you?"}], stream=True
):
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)
print()
