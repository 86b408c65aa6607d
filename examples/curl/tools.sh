#!/bin/sh
# A call of a tool as it is streamed, with curl, and the answer that follows once its result is told.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… sh examples/curl/tools.sh
set -eu

tools='[{"type":"function","function":{"name":"get_weather","description":"도시의 현재 날씨",
  "parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}]'
question='{"role":"user","content":"서울 날씨 알려줘"}'

ask() {
  curl --fail-with-body -sS -N "$STUDIO_URL/v1/chat/completions" \
    -H "Authorization: Bearer $STUDIO_API_KEY" \
    -H "Content-Type: application/json" \
    -H "X-Tool-Stream: openai" \
    -d "{\"model\":\"CORE-GOV-THINK\",\"tools\":$tools,\"messages\":[$1],\"stream\":$2}"
  echo
}

ask "$question" true
ask "$question,
  {\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"call_1\",\"type\":\"function\",
    \"function\":{\"name\":\"get_weather\",\"arguments\":\"{\\\"city\\\":\\\"서울\\\"}\"}}]},
  {\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"맑음, 21도\"}" false
