#!/bin/sh
# Texts in the order of how well they answer a question, with curl. It wants a model that reranks; one alone need not be named.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… sh examples/curl/rerank.sh
set -eu

curl --fail-with-body -sS "$STUDIO_URL/v1/rerank" \
  -H "Authorization: Bearer $STUDIO_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"query":"연차는 며칠인가요?","documents":["점심은 12시입니다.","연차 휴가는 15일입니다."],"return_documents":true}'
