# Messages with the anthropic package, whole and streamed: pip install anthropic
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… python examples/python/messages.py
import os

from anthropic import Anthropic

client = Anthropic(base_url=os.environ["STUDIO_URL"], auth_token=os.environ["STUDIO_API_KEY"], api_key=None)

message = client.messages.create(
    model="CORE-GOV-THINK", max_tokens=1024, messages=[{"role": "user", "content": "12 × 12는?"}]
)
for block in message.content:
    if block.type == "thinking":
        print("thinking:", block.thinking)
    if block.type == "text":
        print("answer:", block.text)
print("tokens:", message.usage.input_tokens, message.usage.output_tokens)

with client.messages.stream(
    model="CORE-GOV-THINK", max_tokens=1024, messages=[{"role": "user", "content": "3 더하기 5는?"}]
) as stream:
    for piece in stream.text_stream:
        print(piece, end="", flush=True)
    print("\nended:", stream.get_final_message().stop_reason)
