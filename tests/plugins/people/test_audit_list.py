"""The audit trail of staff actions, which managers can read (decisions F12)."""

from datetime import timedelta

import pytest
from sqlalchemy import delete

from competition.core import audit
from competition.core.audit import AuditEntry
from competition.core.work import begin
from competition.testing.service import each_page


@pytest.fixture
def manager(app):
    """A manager. The audit trail is empty."""
    with begin(app.runtime) as work:
        work.db.execute(delete(AuditEntry))
    return app.staff("manager")


def record(app, *actions, **options):
    """Record one action per minute."""
    for action in actions:
        app.clock.advance(minutes=1)
        with begin(app.runtime) as work:
            audit.record(work, action, **options)


def listed(person, query=""):
    return [item["action"] for item in each_page(person.client, f"/audit/{query}")]


def test_an_item_says_who_did_what_to_whom(app, manager):
    candidate = app.candidate()
    reply = manager.put(
        f"/candidates/{candidate.id}/roles/assign/",
        {"role": "league"},
        environ={"REMOTE_ADDR": "203.0.113.5"},
    )
    [item] = manager.get("/audit/", status=200).json["results"]
    assert item.pop("id") > 0
    assert item == {
        "actor_id": str(manager.id),
        "actor_name": app.user(manager).full_name,
        "target_id": str(candidate.id),
        "target_name": app.user(candidate).full_name,
        "action": "candidate.role",
        "subject": "",
        "old": "screening",
        "new": "league",
        "address": "203.0.113.5",
        "request_id": reply.headers["X-Request-Id"],
        "created_at": app.clock.now.isoformat().replace("+00:00", "Z"),
        "hash": None,
    }
    app.run_task("core.seal_audit")
    [sealed] = manager.get("/audit/").json["results"]
    assert len(sealed["hash"]) == 64


def test_the_latest_entry_comes_first(app, manager):
    record(app, "first", "second", "third")
    assert listed(manager) == ["third", "second", "first"]


def test_entries_of_one_moment_are_in_order_across_pages(app, manager):
    with begin(app.runtime) as work:
        for index in range(5):
            audit.record(work, f"act {index}")
            work.db.flush()
    assert listed(manager, "?limit=2") == [f"act {index}" for index in (4, 3, 2, 1, 0)]


def test_entries_can_be_ordered(app, manager):
    record(app, "b", "c", "a")
    assert listed(manager, "?ordering=action") == ["a", "b", "c"]
    assert listed(manager, "?ordering=-action") == ["c", "b", "a"]
    assert listed(manager, "?ordering=created_at") == ["b", "c", "a"]


def test_entries_are_filtered_by_action_actor_and_target(app, manager):
    candidate, admin = app.candidate(), app.staff("admin")
    admin.put(f"/candidates/{candidate.id}/roles/assign/", {"role": "league"})
    record(app, "other.act", target=app.candidate().id)
    assert listed(manager) == ["other.act", "candidate.role"]
    assert listed(manager, "?action=other.act") == ["other.act"]
    assert listed(manager, f"?actor_id={admin.id}") == ["candidate.role"]
    assert listed(manager, f"?target_id={candidate.id}") == ["candidate.role"]
    assert listed(manager, f"?actor_id={manager.id}") == []


def test_entries_are_filtered_by_time(app, manager):
    record(app, "first", "second", "third")
    second = (app.clock.now - timedelta(minutes=1)).strftime("%Y-%m-%dT%H:%M:%S")
    assert listed(manager, f"?created_after={second}") == ["third", "second"]
    assert listed(manager, f"?created_before={second}") == ["second", "first"]


def test_a_malformed_id_is_invalid(manager):
    reply = manager.get("/audit/?actor_id=me", status=400, code="invalid")
    assert "actor_id" in reply.json["errors"]


def test_an_admin_can_not_read_the_audit_trail(app):
    app.staff("admin").get("/audit/", status=403, code="permission_denied")


def test_a_search_finds_words_in_action_and_subject(app, manager):
    record(app, "exam.conclude", subject="Rings and ideals")
    record(app, "exam.conclude", subject="Fields")
    record(app, "staff.invite")
    assert listed(manager, "?search=exam%20rings") == ["exam.conclude"]
    assert len(listed(manager, "?search=exam")) == 2
