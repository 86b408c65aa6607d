# A document is read: its blocks at once, then as Markdown in the background; and one is written: pip install httpx
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

# A text as a file of Hancom Office (한글), and what it says; with "format": "docx" as one of Word.
text = {"format": "hwpx", "title": "주간 보고", "content": "1. 현황\n   1. 인원\n   2. 예산"}
written = http.post("render", json=text).raise_for_status().content
again = {"file": ("report.hwpx", written)}
print("written:", repr(result(http.post("parse", files=again, data={"response_format": "text"}))["contents"]))
