#!/bin/sh
# Vectors of texts, with curl.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… sh examples/curl/embeddings.sh
set -eu

curl --fail-with-body -sS "$STUDIO_URL/v1/embeddings" \
  -H "Authorization: Bearer $STUDIO_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model":"builtin-lexical","input":["연차 휴가 신청 방법","The price of copper"]}'
