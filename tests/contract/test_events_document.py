"""The AsyncAPI document is valid and matches the messages on the sockets."""

import json
from pathlib import Path

import jsonschema
import pytest

from competition.core.push.feeds import Feed
from competition.core.push.sockets import Action, FollowedFrame, Following
from competition.plugins.docs.document import asyncapi

SCHEMA = Path(__file__).parents[1] / "support/vendor/specs/3.0.0-without-$id.json"


@pytest.fixture
def document(app):
    return app.anonymous.get("/docs/events").json


def payload(document, name):
    """A validator for the payload of a message."""
    message = document["channels"]["notifications"]["messages"][name]
    return jsonschema.Draft202012Validator({**document, **message["payload"]})


def test_the_document_is_valid_asyncapi(document):
    schema = json.loads(SCHEMA.read_text())
    errors = jsonschema.Draft7Validator(schema).iter_errors(document)
    assert [f"{each.json_path}: {each.message[:200]}" for each in errors] == []
    assert document["servers"]["sockets"]["host"] == "league.example"
    assert document["servers"]["sockets"]["protocol"] == "wss"
    assert document["channels"]["notifications"]["address"] == "/v1/ws/notifications/"


def test_an_unchanged_document_is_not_sent_again(app):
    tag = app.anonymous.get("/docs/events/").headers["ETag"]
    app.anonymous.get("/docs/events/", headers={"If-None-Match": tag}, status=304)


def test_the_document_has_every_feed_and_every_action(document, app):
    operations = document["operations"]
    followed = app.runtime.catalogue[Following]
    for action in (*app.runtime.catalogue[Action], *followed):
        assert operations[f"receive_{action}"]["action"] == "receive"
    sent = [name for name, each in operations.items() if each["action"] == "send"]
    pushed = [app.runtime.catalogue[kind] for kind in (Feed, Following, FollowedFrame)]
    assert len(sent) == sum(map(len, pushed)) + 1
    assert {"send_notification_activity", "send_exam_question", "send_error"} <= set(sent)


def test_frames_match_the_document(document):
    note = {"id": 7, "subject": "News", "message": "…", "read": False}
    note["created_at"] = "2026-03-01T09:00:00Z"
    frame = {"type": "notification_activity", "message": note}
    assert payload(document, "notification_activity").is_valid(frame)
    assert not payload(document, "notification_activity").is_valid({**frame, "type": "other"})
    asked = {"action": "mark_as_read", "data": {"notification_id": 7}}
    assert payload(document, "mark_as_read").is_valid(asked)
    assert not payload(document, "mark_as_read").is_valid({"action": "mark_as_read", "data": {}})
    assert payload(document, "error").is_valid({"type": "error", "message": "Unknown action: x"})


def test_the_document_lists_the_close_codes(document):
    for code in (4001, 4401, 4403, 4429, 1008, 1009, 1012):
        assert f"- {code}: " in document["info"]["description"]


def test_a_feed_without_annotations_is_listed_by_its_name(app):
    feeds = app.runtime.catalogue[Feed]
    feeds["notes"] = Feed("notes", lambda work: 0, lambda work, users, after, until: [])
    messages = asyncapi.describe(app.http.app.registry)["channels"]["notifications"]["messages"]
    assert messages["notes"]["payload"] == {}
