#!/bin/sh
# A deployed agent as a model of chats, with a key that takes agents for models, with curl.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… STUDIO_AGENT=… sh examples/curl/agent-model.sh
set -eu

curl --fail-with-body -sS "$STUDIO_URL/v1/models/agent/$STUDIO_AGENT" -H "Authorization: Bearer $STUDIO_API_KEY"
echo

curl --fail-with-body -sS "$STUDIO_URL/v1/chat/completions" \
  -H "Authorization: Bearer $STUDIO_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model":"agent/'"$STUDIO_AGENT"'","messages":[{"role":"user","content":"12 * 12"}]}'
