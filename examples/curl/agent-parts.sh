#!/bin/sh
# An agent that is given data and a file, with curl, and answers with a table and files. Import examples/agents/table.json in the
# console for such an agent.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… STUDIO_AGENT=agent_slug sh examples/curl/agent-parts.sh
set -eu

note="$(printf '# 비품\n\n연필은 3층에 있다.' | base64 | tr -d '\n')"
curl --fail-with-body -sS "$STUDIO_URL/api/v1/external/agents/$STUDIO_AGENT/a2a" \
  -H "Authorization: Bearer $STUDIO_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{
        "kind":"message","role":"user","messageId":"'"$(date +%s)-$$"'","parts":[
          {"kind":"text","text":"비품 목록"},
          {"kind":"data","data":{"rows":[{"item":"연필","count":3}]}},
          {"kind":"file","file":{"name":"note.md","mimeType":"text/markdown","bytes":"'"$note"'"}}]}}}'
