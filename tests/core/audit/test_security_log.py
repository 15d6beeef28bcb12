"""The security log, as monitoring reads it (docs/security-log.md)."""

import json
import logging

import pytest
from sqlalchemy import select

from competition.cli import superadmins
from competition.core.audit import AuditEntry
from competition.core.auth.access import Permission
from competition.core.monitoring.logs import StructuredFormatter
from competition.core.users import accounts, api_keys
from competition.core.users.models import Staff
from competition.core.work import begin
from competition.testing.service import PASSWORD
from tests.support.repository import REPOSITORY

ADDRESS = "203.0.113.5"
FROM = {"environ": {"REMOTE_ADDR": ADDRESS}}
DOCUMENTS = {name: f"documents/{name}.png" for name in ("face_id", "id_card")}


@pytest.fixture
def logged(caplog):
    """The security events so far, each as a dict of its fields."""
    caplog.set_level(logging.INFO, logger="competition.security")
    formatter = StructuredFormatter()

    def events(name):
        lines = [
            json.loads(formatter.format(record))
            for record in caplog.records
            if record.name == "competition.security"
        ]
        documented = (REPOSITORY / "docs/security-log.md").read_text()
        for line in lines:
            assert f"`{line['event']}`" in documented
            for field in line.keys() - {"taskName"}:
                assert f"`{field}`" in documented, field
            assert "\n" not in line["message"]
        return [line for line in lines if line["event"] == name]

    return events


def test_a_login_is_logged(app, logged):
    person = app.candidate()
    reply = app.log_in(person.email, **FROM)
    [line] = logged("login")
    assert line["user_id"] == line["actor_id"] == str(person.id)
    assert line["address"] == ADDRESS
    assert line["request_id"] == reply.headers["X-Request-Id"]
    assert line["message"].startswith(f"event=login user_id={person.id} ")


def test_a_failed_login_is_logged_without_the_input(app, logged, caplog):
    person = app.candidate()
    app.log_in(person.email, "a wrong password", status=401, **FROM)
    app.log_in("typed@password.example", "another", status=401, **FROM)
    known, unknown = logged("login_failed")
    assert (known["user_id"], known["address"]) == (str(person.id), ADDRESS)
    assert "user_id" not in unknown
    for secret in ("a wrong password", "typed@", person.email):
        assert secret not in caplog.text


def test_an_invalid_token_and_an_unknown_api_key_are_logged(app, logged):
    app.client("no.token").get("/candidates/me/", status=401, **FROM)
    app.anonymous.post("/auth/login/", {}, headers={"X-Api-Key": "made up"}, status=401, **FROM)
    [token], [key] = logged("token_refused"), logged("api_key_refused")
    assert token["address"] == key["address"] == ADDRESS
    assert (key["reason"], "key" in key) == ("unknown", False)


def test_a_denied_request_is_logged(app, logged):
    person = app.candidate()
    person.get("/staff/", status=403, **FROM)
    [line] = logged("access_refused")
    assert (line["actor_id"], line["code"]) == (str(person.id), "permission_denied")


def test_a_wrong_code_is_logged(app, logged):
    person = app.candidate()
    body = {"email": person.email, "otp": "123456"}
    app.anonymous.post("/auth/password-change/confirm-otp/", body, status=400, **FROM)
    [line] = logged("code_failed")
    assert (line["user_id"], line["purpose"]) == (str(person.id), "password")


def test_a_changed_password_is_logged(app, logged):
    person = app.candidate()
    app.anonymous.post("/auth/password-change/request/", {"email": person.email})
    new = {"new_password": "rings and ideals", "confirm_password": "rings and ideals"}
    body = {"email": person.email, "otp": app.otp(person.email), **new}
    app.anonymous.post("/auth/password-change/", body, status=200, **FROM)
    [line] = logged("password_changed")
    assert (line["user_id"], line["address"]) == (str(person.id), ADDRESS)


def test_a_request_over_a_rate_limit_is_logged(app_with, logged, caplog):
    limits = {"competition.ratelimit.authenticated": "1/minute"}
    app = app_with({"competition.ratelimit.enabled": "true", **limits})
    person = app.candidate()
    for status in (200, 429):
        person.get("/candidates/me/", status=status, **FROM)
    for _ in range(4):
        body = {"email": "ada@school.example"}
        app.anonymous.post("/send-email-otp/", body, status="any", **FROM)
    general, codes = logged("limit_refused")
    assert (general["limit"], general["user_id"]) == ("general", str(person.id))
    assert (codes["limit"], codes["address"]) == ("accounts.email_code", ADDRESS)
    assert "ada@" not in caplog.text


def test_a_request_over_the_rate_limit_of_an_address_is_logged(app_with, logged):
    limits = {"competition.ratelimit.address": "1/minute"}
    app = app_with({"competition.ratelimit.enabled": "true", **limits})
    for status in (401, 429):
        app.log_in("ada@school.example", status=status, **FROM)
    [line] = logged("limit_refused")
    assert (line["limit"], line["address"]) == ("address", ADDRESS)


def test_a_reused_refresh_token_is_logged(app, logged):
    person = app.candidate()
    app.anonymous.post("/auth/token/refresh/", {"refresh": person.refresh}, status=200)
    app.clock.advance(seconds=11)
    app.anonymous.post("/auth/token/refresh/", {"refresh": person.refresh}, status=401, **FROM)
    [line] = logged("token_reused")
    assert (line["user_id"], line["address"]) == (str(person.id), ADDRESS)
    assert line["session_id"]


@pytest.mark.parametrize("reason", ["revoked", "expired"])
def test_an_expired_or_revoked_api_key_is_logged(app, logged, reason):
    client = app.client()
    with begin(app.runtime) as work:
        client.key = api_keys.create(work, "lost", app.clock.now - app.clock.now.replace(day=2))
        if reason == "revoked":
            api_keys.revoke(work, "lost")
    client.get("/candidates/me/", status=401, **FROM)
    [line] = logged("api_key_refused")
    assert (line["key"], line["reason"], line["address"]) == ("lost", reason, ADDRESS)


def test_a_changed_role_is_logged(app, logged):
    admin, person = app.staff("admin"), app.candidate()
    path = f"/candidates/{person.id}/roles/assign/"
    admin.put(path, {"role": "league"}, status=200)
    admin.put(path, {"role": "nonsense"}, status=400)
    [line] = logged("role_changed")
    assert (line["user_id"], line["actor_id"]) == (str(person.id), str(admin.id))
    assert (line["old"], line["new"]) == ("screening", "league")


def test_acts_of_operators_are_logged(app, logged):
    person = app.candidate()
    with begin(app.runtime) as work:
        fields = {"first_name": "Root", "last_name": "Root", "phone": "1234567"}
        root = superadmins.create(work, email="root@a.example", password=PASSWORD, **fields)
        superadmins.set_password(work, root, PASSWORD)
        accounts.set_active(work, person.id, False)
        assert not logged("role_changed")
    assert logged("role_changed")[0]["new"] == "superadmin"
    assert logged("password_changed")[0]["user_id"] == str(root.id)
    assert logged("account_deactivated")[0]["user_id"] == str(person.id)
    with begin(app.runtime) as work:
        accounts.set_active(work, person.id, True)
    assert logged("account_activated")[0]["user_id"] == str(person.id)


def test_granting_and_revoking_a_permission_are_logged(app, logged, monkeypatch):
    member, permission = app.staff("volunteer"), "tests.read"
    known = app.runtime.catalogue[Permission]
    monkeypatch.setitem(known, permission, Permission(permission, "May read."))
    for granted, event in ((True, "permission_granted"), (False, "permission_revoked")):
        with begin(app.runtime) as work:
            accounts.set_permission(work, member.id, permission, granted)
        [line] = logged(event)
        assert (line["user_id"], line["permission"]) == (str(member.id), permission)


def test_a_wrong_code_of_a_second_factor_is_logged(app, logged):
    member = app.staff("admin")
    member.post("/auth/second-factor/", status=201)
    member.post("/auth/second-factor/confirm/", {"code": "none"}, status=400, **FROM)
    [line] = logged("second_factor_failed")
    assert (line["user_id"], line["address"]) == (str(member.id), ADDRESS)


def test_an_act_that_was_rolled_back_is_not_logged(app, logged):
    member = app.staff("volunteer")
    with pytest.raises(ZeroDivisionError), begin(app.runtime) as work:
        superadmins.set_password(work, work.db.get_one(Staff, member.id), PASSWORD)
        raise ZeroDivisionError
    assert not logged("password_changed")


def links_in_the_audit(app):
    with begin(app.runtime) as work:
        links = select(AuditEntry).where(AuditEntry.action == "document.link")
        entries = links.order_by(AuditEntry.id)
        return list(work.db.scalars(entries.order_by(AuditEntry.id)))


def test_every_link_to_an_identity_document_is_logged(app, logged):
    manager, person = app.staff("manager"), app.candidate(**DOCUMENTS)
    for name in DOCUMENTS:
        (app.file_folder / "documents").mkdir(parents=True, exist_ok=True)
        (app.file_folder / DOCUMENTS[name]).write_bytes(b"")
    path = f"/user/verification/documents/id_card/{person.id}/"
    reply = manager.get(path, status=200, **FROM)
    manager.get(f"/candidates/{person.id}/", status=200)
    manager.get("/user/list/?profile=candidate", status=200)
    app.staff("admin").get(f"/candidates/{person.id}/", status=200)
    person.get("/candidates/me/", status=200)
    lines = logged("document_link")
    both = "face_id id_card"
    assert [line["documents"] for line in lines[:2]] == ["id_card", both]
    assert lines[0]["address"] == ADDRESS
    assert {line["user_id"] for line in lines} == {str(person.id)}
    assert [line["actor_id"] for line in lines[-2:]] == [str(manager.id), str(person.id)]
    assert all(reply.json["url"] not in line["message"] for line in lines)
    entries = links_in_the_audit(app)
    # Links to the caller's own files are not audited.
    assert len(entries) == len(lines) - 1
    assert {entry.actor_id for entry in entries} == {manager.id}
    assert (entries[0].target_id, entries[0].subject) == (person.id, "id_card")


def test_a_value_can_not_look_like_another_field(app, caplog):
    caplog.set_level(logging.INFO, logger="competition.security")
    with begin(app.runtime) as work:
        key = api_keys.create(work, "site user_id=7\nevent=login")
        api_keys.revoke(work, "site user_id=7\nevent=login")
    client = app.client()
    client.key = key
    client.get("/candidates/me/", status=401)
    assert r"key='site user_id=7\nevent=login'" in caplog.text


def test_the_access_log_is_enabled_by_a_setting(app_with, caplog):
    caplog.set_level(logging.INFO, logger="competition.access")
    app_with({}).anonymous.get("/health/")
    assert "/health/" not in caplog.text
    app = app_with({"competition.server.access_log": "true"})
    person = app.candidate()
    person.get("/candidates/me/?secret=1", status=200, **FROM)
    app.http.get("/v1/nowhere", status=404)
    mine, nowhere = [json.loads(StructuredFormatter().format(each)) for each in caplog.records]
    assert (mine["method"], mine["path"], mine["status"]) == ("GET", "/v1/candidates/me/", 200)
    assert (mine["user_id"], mine["address"]) == (str(person.id), ADDRESS)
    assert isinstance(mine["milliseconds"], int)
    assert (nowhere["path"], nowhere["status"]) == ("/v1/nowhere/", 404)
    assert "secret" not in caplog.text
