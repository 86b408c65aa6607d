"""CrewAI: agents that are found by their cards."""

import os

os.environ["CREWAI_DISABLE_TELEMETRY"] = os.environ["OTEL_SDK_DISABLED"] = "true"
from crewai.a2a.auth import BearerTokenAuth
from crewai.a2a.updates import PollingConfig, StreamingConfig
from crewai.a2a.utils.delegation import execute_a2a_delegation

from checks import KEY, card_url, check, main


def delegate(name, text, updates):
    return execute_a2a_delegation(
        endpoint=f"{card_url(name)}/.well-known/agent-card.json",
        auth=BearerTokenAuth(token=KEY),
        timeout=60,
        task_description=text,
        updates=updates,
    )


@check
def answer():
    """an answer, once, streamed and polled; a question; a failure"""
    for updates in (StreamingConfig(), PollingConfig(interval=0.2)):
        result = delegate("plain", "Hi", updates)
        # It puts a blank between pieces.
        assert " ".join(result["result"].split()) == "The answer is 42.", result
        assert delegate("asking", "A car", updates)["error"] == "Which colour?"
        assert "broken" in delegate("failing", "x", updates)["error"]
        assert "Here: Stock" in delegate("parts", "Stock", updates)["result"]


main()
