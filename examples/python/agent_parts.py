# An agent that is given data and a file, and answers with a table and files, by the official A2A client: pip install a2a-sdk httpx
# Import examples/agents/table.json in the console for such an agent.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… STUDIO_AGENT=agent_slug python examples/python/agent_parts.py
import asyncio
import os
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import Message, Part, Role, SendMessageRequest
from google.protobuf.json_format import MessageToJson, ParseDict

URL = f"{os.environ['STUDIO_URL']}/api/v1/external/agents/{os.environ['STUDIO_AGENT']}"


async def main():
    headers = {"Authorization": f"Bearer {os.environ['STUDIO_API_KEY']}"}
    async with httpx.AsyncClient(timeout=60, headers=headers) as http:
        card = await A2ACardResolver(httpx_client=http, base_url=URL).get_agent_card()
        client = ClientFactory(ClientConfig(httpx_client=http, streaming=False)).create(card)
        table = Part()
        ParseDict({"rows": [{"item": "연필", "count": 3}]}, table.data)
        note = Part(raw="# 비품\n\n연필은 3층에 있다.".encode(), filename="note.md", media_type="text/markdown")
        parts = [Part(text="비품 목록"), table, note]
        message = Message(role=Role.ROLE_USER, message_id=uuid.uuid4().hex, parts=parts)
        async for event in client.send_message(SendMessageRequest(message=message)):
            for artifact in event.task.artifacts:
                for part in artifact.parts:
                    if part.HasField("text"):
                        print("text:", part.text)
                    elif part.HasField("data"):
                        print("data:", MessageToJson(part.data, indent=None, ensure_ascii=False))
                    else:
                        print("file:", part.filename, len(part.raw), "bytes")


asyncio.run(main())
