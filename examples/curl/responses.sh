#!/bin/sh
# The Responses interface with curl: an answer that is kept, and the next one, as a stream, that follows it.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… sh examples/curl/responses.sh
set -eu

ask() {
  curl --fail-with-body -sS -N "$STUDIO_URL/v1/responses" \
    -H "Authorization: Bearer $STUDIO_API_KEY" \
    -H "Content-Type: application/json" \
    -d "$1"
}

first="$(ask '{"model":"CORE-GOV","input":"12 * 12?"}')"
echo "$first"
id="$(echo "$first" | grep -o '"id":"resp_[^"]*"' | head -n 1 | cut -d '"' -f 4)"
ask '{"model":"CORE-GOV","input":"7 * 8?","previous_response_id":"'"$id"'","stream":true}'
