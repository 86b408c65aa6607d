# Texts in the order of how well they answer a question, with the cohere package: pip install cohere
# It wants a model that reranks: the first of those that the key may use.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… python examples/python/rerank.py
import os

import cohere
import httpx

url, key = os.environ["STUDIO_URL"], os.environ["STUDIO_API_KEY"]
models = httpx.get(f"{url}/v1/models", headers={"Authorization": f"Bearer {key}"}).raise_for_status().json()["data"]
model = next(model["id"] for model in models if model["type"] == "rerank")

documents = ["점심은 12시입니다.", "연차 휴가는 15일입니다.", "출장비는 하루 5만원입니다."]
client = cohere.ClientV2(api_key=key, base_url=url)
for result in client.rerank(model=model, query="연차는 며칠인가요?", documents=documents, top_n=2).results:
    print(f"{result.relevance_score:.2f}", documents[result.index])
