#!/bin/sh
# What the key may use, with curl: every model with its kind, and one of them.
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… sh examples/curl/models.sh
set -eu

curl --fail-with-body -sS "$STUDIO_URL/v1/models" -H "Authorization: Bearer $STUDIO_API_KEY"
echo
curl --fail-with-body -sS "$STUDIO_URL/v1/models/CORE-GOV-THINK" -H "Authorization: Bearer $STUDIO_API_KEY"
echo
