#!/bin/sh
# A whole reply and a stream, with curl.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… sh examples/curl/chat.sh
set -eu

curl --fail-with-body -sS "$STUDIO_URL/v1/chat/completions" \
  -H "Authorization: Bearer $STUDIO_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model":"CORE-GOV-THINK","messages":[{"role":"user","content":"12 × 12는 얼마인가요?"}]}'
echo

curl --fail-with-body -sS -N "$STUDIO_URL/v1/chat/completions" \
  -H "Authorization: Bearer $STUDIO_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model":"CORE-GOV","stream":true,"messages":[{"role":"user","content":"Hello!"}]}'
