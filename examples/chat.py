# The same with Python's openai package: pip install openai
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… python examples/chat.py
import os

from openai import OpenAI

client = OpenAI(base_url=os.environ["STUDIO_URL"] + "/v1", api_key=os.environ["STUDIO_API_KEY"])
reply = client.chat.completions.create(
    model="CORE-GOV-THINK",
    messages=[{"role": "user", "content": "12 × 12는 얼마인가요?"}],
)
print(reply.choices[0].message.content)
