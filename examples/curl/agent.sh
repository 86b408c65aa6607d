#!/bin/sh
# A deployed agent over A2A, with curl: an answer whole, then as it is made.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… STUDIO_AGENT=agent_slug sh examples/curl/agent.sh
set -eu

ask() {
  curl --fail-with-body -sS -N "$STUDIO_URL/api/v1/external/agents/$STUDIO_AGENT/a2a" \
    -H "Authorization: Bearer $STUDIO_API_KEY" \
    -H "Content-Type: application/json" \
    -d '{"jsonrpc":"2.0","id":1,"method":"'"$1"'","params":{"message":{
          "kind":"message","role":"user","messageId":"'"$(date +%s)-$$-$1"'",
          "parts":[{"kind":"text","text":"12 × 12는 얼마인가요?"}]}}}'
}

ask message/send
echo
ask message/stream
