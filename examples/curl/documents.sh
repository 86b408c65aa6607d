#!/bin/sh
# A document is read, with curl: its blocks at once, then as Markdown in the background; and one is written.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… sh examples/curl/documents.sh
set -eu

file="$(mktemp -d)/regulations.html"
echo '<h1>휴가</h1><p>연차 휴가는 15일이다.</p>' > "$file"

curl --fail-with-body -sS "$STUDIO_URL/v1/document/parse" \
  -H "Authorization: Bearer $STUDIO_API_KEY" -F "file=@$file"
echo

id="$(curl --fail-with-body -sS "$STUDIO_URL/v1/document/parse/async" \
  -H "Authorization: Bearer $STUDIO_API_KEY" -F "file=@$file" |
  grep -o '"document_id":"[^"]*"' | cut -d '"' -f 4)"
while :; do
  read="$(curl --fail-with-body -sS "$STUDIO_URL/v1/document/$id/content?response_format=markdown" \
    -H "Authorization: Bearer $STUDIO_API_KEY")"
  case "$read" in *RUNNING_INFERENCE*) sleep 1 ;; *) break ;; esac
done
echo "$read"

# A text as a file of Hancom Office (한글), and what it says; with "format": "docx" as one of Word.
curl --fail-with-body -sS "$STUDIO_URL/v1/document/render" -H "Authorization: Bearer $STUDIO_API_KEY" \
  -H 'Content-Type: application/json' -o "$file.hwpx" \
  -d '{"format": "hwpx", "title": "주간 보고", "content": "1. 현황\n   1. 인원\n   2. 예산"}'
curl --fail-with-body -sS "$STUDIO_URL/v1/document/parse" \
  -H "Authorization: Bearer $STUDIO_API_KEY" -F response_format=text -F "file=@$file.hwpx"
echo
