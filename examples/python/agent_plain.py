# A deployed agent over A2A with nothing but Python: the answer as it is made, then a second turn of the session.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… STUDIO_AGENT=agent_slug python examples/python/agent_plain.py
import json
import os
import urllib.request
import uuid

URL = f"{os.environ['STUDIO_URL']}/api/v1/external/agents/{os.environ['STUDIO_AGENT']}/a2a"


def ask(text, session=None):
    """Prints the answer as it comes. Returns the number of the session."""
    message = {"kind": "message", "role": "user", "messageId": str(uuid.uuid4()), "parts": [{"kind": "text", "text": text}]}
    params = {"message": message, "metadata": {"chat_session_id": session}}
    request = urllib.request.Request(
        URL,
        data=json.dumps({"jsonrpc": "2.0", "id": 1, "method": "message/stream", "params": params}).encode(),
        headers={"Authorization": f"Bearer {os.environ['STUDIO_API_KEY']}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        for line in response:
            if not line.startswith(b"data:"):
                continue
            event = json.loads(line[5:])["result"]
            for part in event["status"]["message"]["parts"]:
                print(part["text"], end="", flush=True)
            if event["final"]:
                print(f" [{event['status']['state']}]")
                return event["metadata"]["chat_session_id"]


session = ask("12 × 12는 얼마인가요?")
ask("Hello!", session)
