# The tools of the MCP server with nothing but Python: a text masked, a search, and the whole of what it found.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… python examples/python/mcp_plain.py
import json
import os
import urllib.request


def ask(method, params):
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    request = urllib.request.Request(
        os.environ["STUDIO_URL"] + "/mcp",
        data=json.dumps(body).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["STUDIO_API_KEY"],
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2025-11-25",
        },
    )
    with urllib.request.urlopen(request) as response:
        # The response is the last event of the stream.
        lines = [line[6:] for line in response.read().decode().splitlines() if line.startswith("data: ")]
    return json.loads(lines[-1])["result"]


def call(name, arguments):
    return ask("tools/call", {"name": name, "arguments": arguments})["structuredContent"]


print("masked:", call("mask_personal_values", {"text": "주민번호는 960121-1234567입니다."})["masked_text"])
found = call("search", {"query": "연차 휴가는 며칠인가요?"})["results"]
for document in found:
    print(document["title"], document["url"])
if found:
    print(call("fetch", {"id": found[0]["id"]})["text"])
