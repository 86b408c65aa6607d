# Masks personal values before a text goes anywhere, and turns them back in what comes back: pip install httpx
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… python examples/python/privacy.py
import os

import httpx

URL, KEY = os.environ["STUDIO_URL"], os.environ["STUDIO_API_KEY"]


def ask(path, body):
    response = httpx.post(f"{URL}/v1/text/{path}", json=body, headers={"Authorization": f"Bearer {KEY}"}, timeout=60)
    if response.is_error:
        raise RuntimeError(response.json()["status"]["message"])
    return response.json()["result"]


text = "홍길동 님, 010-1234-5678로 전화드리겠습니다."
masked = ask("pii-mask", {"text": text, "pii_types": ["ALL"], "reversible": True})
print("masked:", masked["masked_text"])

answer = f"확인했습니다: {masked['entities'][1]['replacement']}"
print("unmasked:", ask("pii-unmask", {"text": answer, "session_id": masked["session_id"]})["unmasked_text"])
