# Vectors of texts with the openai package: like texts have a larger product: pip install openai
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… python examples/python/embeddings.py
import os

from openai import OpenAI

client = OpenAI(base_url=os.environ["STUDIO_URL"] + "/v1", api_key=os.environ["STUDIO_API_KEY"])

texts = ["연차 휴가 신청 방법", "휴가를 신청하는 방법은?", "The price of copper"]
reply = client.embeddings.create(model="builtin-lexical", input=texts)
a, b, c = (item.embedding for item in reply.data)


def product(one, other):
    return sum(x * y for x, y in zip(one, other))


print(f"near: {product(a, b):.2f} far: {product(a, c):.2f}")
