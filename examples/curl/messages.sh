#!/bin/sh
# Messages as Anthropic has them, with curl: whole, as a stream, and how many tokens they are.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… sh examples/curl/messages.sh
set -eu

ask() {
  curl --fail-with-body -sS -N "$STUDIO_URL/v1/$1" \
    -H "Authorization: Bearer $STUDIO_API_KEY" \
    -H "Content-Type: application/json" \
    -H "anthropic-version: 2023-06-01" \
    -d "$2"
  echo
}

ask messages '{"model":"CORE-GOV-THINK","max_tokens":1024,"messages":[{"role":"user","content":"12 × 12는?"}]}'
ask messages '{"model":"CORE-GOV","max_tokens":1024,"stream":true,"messages":[{"role":"user","content":"3 + 5?"}]}'
ask messages/count_tokens '{"model":"CORE-GOV","messages":[{"role":"user","content":"3 + 5?"}]}'
