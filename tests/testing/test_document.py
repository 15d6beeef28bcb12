"""The check of replies finds what the document does not describe."""

import json

import pytest

from competition.testing.document import Document

THING = {
    "type": "object",
    "additionalProperties": False,
    "required": ["id"],
    "properties": {
        "id": {"type": "string", "format": "uuid"},
        "at": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
    },
}
ID = "5f0c3d6e-0000-4000-8000-000000000000"


@pytest.fixture(scope="module")
def document():
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}
    return Document(
        {
            "paths": {"/things/{thing_id}/": {"get": {"responses": {"200": {"content": content}}}}},
            "components": {"schemas": {"Thing": THING}},
        }
    )


def check(document, body, status=200):
    sent = json.dumps(body).encode()
    document.check_answer("GET", "/things/{thing_id}/", status, "application/json", sent)


@pytest.mark.parametrize("body", [{"id": ID}, {"id": ID, "at": "2026-03-01T09:00:00.5Z"}])
def test_a_documented_reply_passes(document, body):
    check(document, body)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({}, '"id" is a required property'),
        ({"id": ID, "more": 1}, "more"),
        ({"id": 7}, "id: 7 is not of type"),
        ({"id": "7"}, 'id: "7" is not a "uuid"'),
        ({"id": ID, "at": "2026-03-01T09:00:00+00:00"}, "at: "),
        ({"id": ID, "at": "yesterdayZ"}, "at: "),
    ],
)
def test_a_reply_of_another_shape_is_found(document, body, found):
    with pytest.raises(AssertionError, match=r"GET /things/{thing_id}/ → 200") as failed:
        check(document, body)
    assert found in str(failed.value)


def test_an_undocumented_status_is_found(document):
    with pytest.raises(AssertionError, match="is not in the document"):
        check(document, {"id": ID}, status=202)
