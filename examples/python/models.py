# What the key may use, with the openai package: every model with its kind, and one of them: pip install openai
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… python examples/python/models.py
import os

from openai import OpenAI

client = OpenAI(base_url=os.environ["STUDIO_URL"] + "/v1", api_key=os.environ["STUDIO_API_KEY"])

for model in client.models.list():
    print(f"{model.id}: {model.type}")
print("one:", client.models.retrieve("CORE-GOV-THINK").id)
