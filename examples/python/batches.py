# Many questions in one file, answered in the background, with the openai package: pip install openai
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… python examples/python/batches.py
import json
import os
import time

from openai import OpenAI

client = OpenAI(base_url=os.environ["STUDIO_URL"] + "/v1", api_key=os.environ["STUDIO_API_KEY"])

lines = [
    {
        "custom_id": f"square-{n}",
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {"model": "CORE-GOV", "messages": [{"role": "user", "content": f"{n} * {n}?"}]},
    }
    for n in (3, 4, 5)
]
content = "\n".join(json.dumps(line) for line in lines).encode()
file = client.files.create(file=("squares.jsonl", content), purpose="batch")
batch = client.batches.create(input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h")
while batch.status not in ("completed", "failed", "expired", "cancelled"):
    time.sleep(0.2)
    batch = client.batches.retrieve(batch.id)
print("batch:", batch.status, batch.request_counts.completed, "of", batch.request_counts.total)

for line in client.files.content(batch.output_file_id).text.splitlines():
    answer = json.loads(line)
    print(f"{answer['custom_id']}:", answer["response"]["body"]["choices"][0]["message"]["content"])
