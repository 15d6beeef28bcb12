"""Registrations of the demo, with and without the consent of a guardian."""

import json
from typing import Any

import httpx
import pytest

from tools.demo import accounts, cast
from tools.demo.client import Client

DEMANDED = {"required": True, "text": "I agree.", "version": "v1"}
NOT_DEMANDED = {"required": False, "text": None, "version": None}


@pytest.mark.parametrize(
    ("status", "reply", "version"),
    [
        (200, DEMANDED, "v1"),
        (200, NOT_DEMANDED, None),
        (404, {"detail": "Not found.", "code": "not_found"}, None),
    ],
)
def test_candidates_register_with_the_consent_that_the_service_demands(
    status: int, reply: dict[str, Any], version: str | None
) -> None:
    sent = []

    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return httpx.Response(status, json=reply)
        sent.append(json.loads(request.content))
        return httpx.Response(201, json={})

    http = httpx.Client(transport=httpx.MockTransport(answer))
    client = Client(http, "https://league.example/v1", {"X-Api-Key": "key"})
    consent = accounts.guardian_consent(client)
    [candidate, *_] = cast.candidates(client, "tag", 24)
    accounts.register(candidate, consent)
    assert [body.get("guardian_consent", {}).get("version") for body in sent] == [version]
