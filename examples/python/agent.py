# A deployed agent with the official A2A client, found by its card: pip install a2a-sdk httpx
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… STUDIO_AGENT=agent_slug python examples/python/agent.py
import asyncio
import os
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import Message, Part, Role, SendMessageRequest

URL = f"{os.environ['STUDIO_URL']}/api/v1/external/agents/{os.environ['STUDIO_AGENT']}"


async def main():
    headers = {"Authorization": f"Bearer {os.environ['STUDIO_API_KEY']}"}
    async with httpx.AsyncClient(timeout=60, headers=headers) as http:
        card = await A2ACardResolver(httpx_client=http, base_url=URL).get_agent_card()
        print("agent:", card.name)
        client = ClientFactory(ClientConfig(httpx_client=http, streaming=True)).create(card)
        message = Message(role=Role.ROLE_USER, message_id=uuid.uuid4().hex, parts=[Part(text="12 × 12는 얼마인가요?")])
        async for event in client.send_message(SendMessageRequest(message=message)):
            if event.HasField("artifact_update"):
                print("".join(part.text for part in event.artifact_update.artifact.parts), end="", flush=True)
        print()


asyncio.run(main())
