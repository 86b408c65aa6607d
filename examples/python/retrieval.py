# A collection: a document is uploaded, taken in, and searched: pip install httpx
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… python examples/python/retrieval.py
import json
import os
import time

import httpx

http = httpx.Client(
    base_url=os.environ["STUDIO_URL"] + "/v1/rag42/",
    headers={"Authorization": "Bearer " + os.environ["STUDIO_API_KEY"]},
    timeout=60,
)


def call(method, path, **options):
    body = http.request(method, path, **options).json()
    if body["status"]["code"] != "20000":
        raise RuntimeError(body["status"]["message"])
    return body["result"]


settings = {"collection_name": "사내 규정", "ingest_config": {"indexed_fields": ["department"]}}
collection = call("POST", "collections", json=settings)["collection_id"]

document = call(
    "POST",
    f"collections/{collection}/documents/upload",
    data={"metadata": json.dumps({"department": "HR"})},
    files={"file": ("규정.md", "# 휴가\n\n연차 휴가는 15일이다.\n\n# 출장\n\n출장비는 하루 5만원이다.\n".encode())},
)
while document["state"] not in ("ready", "failed"):
    time.sleep(0.2)
    document = call("GET", f"documents/{document['document_id']}")
print("document:", document["state"], "chunks:", document["chunk_count"])

query = {"collection_id": collection, "query": "연차는 며칠인가요?", "filters": {"department": "HR"}, "top_k": 1}
for hit in call("POST", "search", json=query)["hits"]:
    print("found:", hit["title"], "/", hit["content"].splitlines()[-1])
call("DELETE", f"collections/{collection}")
