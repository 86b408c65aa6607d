# The tools of the MCP server, and a call of one, with curl.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… sh examples/curl/mcp.sh
set -e

ask() {
  curl -sS "$STUDIO_URL/mcp" -H "Authorization: Bearer $STUDIO_API_KEY" -H 'Content-Type: application/json' \
    -H 'Accept: application/json, text/event-stream' -H 'MCP-Protocol-Version: 2025-11-25' -d "$1"
  echo
}

ask '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'
ask '{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
  "name": "mask_personal_values", "arguments": {"text": "주민번호는 960121-1234567입니다."}}}'
