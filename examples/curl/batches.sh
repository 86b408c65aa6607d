#!/bin/sh
# Many questions in one file, answered in the background, with curl.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… sh examples/curl/batches.sh
set -eu

call() {
  path="$1"
  shift
  curl --fail-with-body -sS "$STUDIO_URL/v1/$path" -H "Authorization: Bearer $STUDIO_API_KEY" "$@"
}
field() { grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }

for n in 3 4 5; do
  echo '{"custom_id":"square-'"$n"'","method":"POST","url":"/v1/chat/completions","body":{"model":"CORE-GOV","messages":[{"role":"user","content":"'"$n"' * '"$n"'?"}]}}'
done > "${TMPDIR:-/tmp}/squares-$$.jsonl"
file="$(call files -F purpose=batch -F "file=@${TMPDIR:-/tmp}/squares-$$.jsonl" | field id)"
rm "${TMPDIR:-/tmp}/squares-$$.jsonl"

batch="$(call batches -H "Content-Type: application/json" \
  -d '{"input_file_id":"'"$file"'","endpoint":"/v1/chat/completions","completion_window":"24h"}' | field id)"
while :; do
  state="$(call "batches/$batch")"
  case "$(echo "$state" | field status)" in completed | failed | expired | cancelled) break ;; esac
  sleep 1
done
echo "$state"
call "files/$(echo "$state" | field output_file_id)/content"
