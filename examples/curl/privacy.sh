#!/bin/sh
# Personal values are masked before a text goes anywhere, with curl, and turned back in what comes back.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… sh examples/curl/privacy.sh
set -eu

ask() {
  curl --fail-with-body -sS "$STUDIO_URL/v1/text/$1" \
    -H "Authorization: Bearer $STUDIO_API_KEY" -H "Content-Type: application/json" -d "$2"
}

masked="$(ask pii-mask '{"text":"010-1234-5678로 전화드리겠습니다.","pii_types":["PHONE"],"reversible":true}')"
echo "$masked"
session="$(echo "$masked" | grep -o '"session_id":"[^"]*"' | cut -d '"' -f 4)"
token="$(echo "$masked" | grep -o '"replacement":"[^"]*"' | cut -d '"' -f 4)"
ask pii-unmask '{"text":"확인했습니다: '"$token"'","session_id":"'"$session"'"}'
