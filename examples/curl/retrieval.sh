#!/bin/sh
# A collection, with curl: a document is uploaded, taken in, and searched.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… sh examples/curl/retrieval.sh
set -eu

call() {
  method="$1" path="$2"
  shift 2
  curl --fail-with-body -sS -X "$method" "$STUDIO_URL/v1/rag42/$path" -H "Authorization: Bearer $STUDIO_API_KEY" "$@"
}
json="Content-Type: application/json"
field() { grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }

collection="$(call POST collections -H "$json" -d '{"collection_name":"사내 규정"}' | field collection_id)"
file="$(mktemp -d)/regulations.md"
printf '# 휴가\n\n연차 휴가는 15일이다.\n\n# 출장\n\n출장비는 하루 5만원이다.\n' > "$file"
document="$(call POST "collections/$collection/documents/upload" -F "file=@$file" | field document_id)"
while :; do
  state="$(call GET "documents/$document" | field state)"
  case "$state" in ready | failed) break ;; esac
  sleep 1
done
echo "document: $state"

call POST search -H "$json" -d '{"collection_id":"'"$collection"'","query":"연차는 며칠인가요?","top_k":1}'
echo
call DELETE "collections/$collection"
