# A tool loop over two turns with the openai package: pip install openai
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… python examples/python/tools.py
import json
import os

from openai import OpenAI

client = OpenAI(base_url=os.environ["STUDIO_URL"] + "/v1", api_key=os.environ["STUDIO_API_KEY"])

parameters = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
weather = {"name": "get_weather", "description": "Current weather of a city (도시의 현재 날씨)", "parameters": parameters}
tools = [{"type": "function", "function": weather}]
messages = [{"role": "user", "content": "서울 날씨 알려줘"}]

first = client.chat.completions.create(model="CORE-GOV-THINK", messages=messages, tools=tools).choices[0].message
messages.append(first)
for call in first.tool_calls or []:
    print("call:", call.function.name, call.function.arguments)
    result = json.dumps({"sky": "맑음", "celsius": 21}, ensure_ascii=False)
    messages.append({"role": "tool", "tool_call_id": call.id, "content": result})

second = client.chat.completions.create(model="CORE-GOV-THINK", messages=messages, tools=tools)
print("answer:", second.choices[0].message.content)
