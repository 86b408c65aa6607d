#!/bin/sh
# A text that is spoken, with curl, and written down again where a speech-to-text model is there.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… sh examples/curl/speech.sh
set -eu

file="$(mktemp -d)/speech.wav"
curl --fail-with-body -sS "$STUDIO_URL/v1/audio/speech" \
  -H "Authorization: Bearer $STUDIO_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"input":"안녕하세요. Hello.","response_format":"wav"}' -o "$file"
echo "$file has $(wc -c < "$file") bytes"

# Without a model this says what to connect or install.
curl -sS "$STUDIO_URL/v1/audio/transcriptions" \
  -H "Authorization: Bearer $STUDIO_API_KEY" \
  -F "file=@$file" -F response_format=verbose_json
echo
