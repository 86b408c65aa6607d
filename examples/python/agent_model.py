# A deployed agent as a model of the openai package, with a key that takes agents for models: pip install openai
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… STUDIO_AGENT=… python examples/python/agent_model.py
import os

from openai import OpenAI

client = OpenAI(base_url=os.environ["STUDIO_URL"] + "/v1", api_key=os.environ["STUDIO_API_KEY"])

reply = client.chat.completions.create(
    model="agent/" + os.environ["STUDIO_AGENT"],
    messages=[{"role": "user", "content": "12 * 12"}],
)
message = reply.choices[0].message
print("answer:", message.content)
for source in message.annotations or []:
    print("source:", source.url_citation.title, source.url_citation.url)
