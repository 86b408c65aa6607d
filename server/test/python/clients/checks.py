"""Runs checks one after the other and tells of each in a line: `ok NAME`, or `not ok NAME` and why behind it."""

import asyncio
import inspect
import json
import os
import sys
import traceback

BASE = os.environ["STUDIO_BASE"]
KEY = os.environ["STUDIO_KEY"]
V1 = f"{BASE}/v1"
AGENTS = json.loads(os.environ["STUDIO_AGENTS"])

_checks = []


def check(function):
    """Registers a check, which is named by its first line."""
    _checks.append(function)
    return function


def card_url(name):
    return f"{BASE}/api/v1/external/agents/{AGENTS[name]}"


def main():
    failed = False
    for function in _checks:
        name = (inspect.getdoc(function) or function.__name__).split("\n")[0]
        try:
            result = function()
            if inspect.isawaitable(result):
                asyncio.run(result)
            print(f"ok {name}", flush=True)
        except Exception:
            failed = True
            print(f"not ok {name}\n{traceback.format_exc()}", flush=True)
    sys.exit(1 if failed else 0)
