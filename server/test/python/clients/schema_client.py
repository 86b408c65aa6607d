"""schemathesis: what the interface says of itself, against what it does."""

import os
import subprocess
import sys
import tempfile

from checks import BASE, KEY, check, main

# Codes that a caller may see; beyond them none is an answer to what a client sent.
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"

@check
def conforms():
    """every operation answers generated requests, right and wrong, as the document says"""
    command = [
        os.path.join(os.path.dirname(sys.executable), "schemathesis"),
        "run",
        f"{BASE}/openapi.json",
        "--header",
        f"Authorization: Bearer {KEY}",
        # Else it makes one up, and half of what is asked is refused for that.
        "--header",
        f"X-Tenant-Id: {os.environ['STUDIO_TENANT']}",
        "--phases",
        "examples,fuzzing",
        "--max-examples",
        os.environ.get("STUDIO_SCHEMA_EXAMPLES", "5"),
        "--checks",
        CHECKS,
        "--request-timeout",
        "60",
        "--seed",
        "1",
        "--no-color",
    ]
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=900)
    assert result.returncode == 0, result.stdout[-60000:] + result.stderr[-2000:]


main()
