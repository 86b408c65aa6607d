# A document is read: its blocks at once, then as Markdown in the background: pip install httpx
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… python examples/python/documents.py
import os
import time

import httpx

http = httpx.Client(
    base_url=os.environ["STUDIO_URL"] + "/v1/document/",
    headers={"Authorization": "Bearer " + os.environ["STUDIO_API_KEY"]},
    timeout=60,
)


def result(response):
    body = response.json()
    if response.is_error:
        raise RuntimeError(body["status"]["message"])
    return body["result"]


files = {"file": ("규정.html", "<h1>휴가</h1><p>연차 휴가는 15일이다.</p>".encode())}
for page in result(http.post("parse", files=files))["prediction"]["all_pages"]:
    for block in page["classes"]:
        print(f"{block['class']}: {block['contents']}")

document = result(http.post("parse/async", files=files))["document_id"]
while True:
    read = result(http.get(f"{document}/content", params={"response_format": "markdown"}))
    if read["status"] != "RUNNING_INFERENCE":
        break
    time.sleep(0.2)
print(read["status"], repr(read["contents"]))
