"""Operations of superadmins over REST instead of the command line (`docs/decisions/contract.md`,
W7)."""

import pytest
from sqlalchemy import select, update

from competition.core.audit import AuditEntry
from competition.core.jobs import jobs
from competition.core.jobs.models import Job
from competition.core.mail import mails
from competition.core.mail.models import Mail
from competition.core.work import begin


@pytest.fixture
def boss(app):
    return app.staff("superadmin")


def actions(app):
    with begin(app.runtime) as work:
        return list(work.db.scalars(select(AuditEntry.action).order_by(AuditEntry.id)))


def test_a_flag_is_switched_and_the_change_is_audited(app, boss):
    shown = {each["name"]: each["enabled"] for each in boss.get("/flags/", status=200).json}
    assert shown["score_publication"] is False
    switched = boss.put("/flags/score_publication/", {"enabled": True}, status=200).json
    assert (switched["name"], switched["enabled"], switched["default"]) == (
        *("score_publication", True, False),
    )
    app.staff("admin").post("/publish-scores/", status=202)
    assert "flag.switch" in actions(app)
    boss.put("/flags/nothing/", {"enabled": True}, status=404, code="not_found")


def test_the_secret_of_an_api_key_is_shown_once_and_a_revoked_key_is_rejected(app, boss):
    order = {"name": "Exam client", "scopes": ["client"], "days": 30}
    created = boss.post("/api-keys/", order, status=201).json
    assert created["key"].startswith(created["prefix"])
    assert created["expires_at"] == "2026-03-31T09:00:00Z"
    listed = boss.get("/api-keys/?search=exam", status=200).json["results"]
    assert [each["id"] for each in listed] == [created["id"]]
    assert "key" not in listed[0]
    client = app.client()
    client.key = created["key"]
    client.get("/receipts/keys/", status=200)
    boss.post("/api-keys/", order, status=400, code="invalid")
    for _ in range(2):
        boss.delete(f"/api-keys/{created['id']}/", status=204)
    app.clock.advance(seconds=16)
    client.get("/receipts/keys/", status=401, code="authentication_failed")
    audited = [each for each in actions(app) if each.startswith("api_key")]
    assert audited[-2:] == ["api_key.create", "api_key.revoke"]


def test_an_api_key_can_have_rates_of_its_own(app_with):
    app = app_with({"competition.ratelimit.enabled": "true"})
    boss = app.staff("superadmin")
    order = {"name": "Big client", "scopes": ["client"]}
    reply = boss.post("/api-keys/", {**order, "rates": "huge"}, status=400, code="invalid").json
    assert reply["rules"]["rates"][0]["names"] == ["development", "pages", "standard"]
    created = boss.post("/api-keys/", {**order, "rates": "pages"}, status=201).json
    [listed] = boss.get("/api-keys/?search=big", status=200).json["results"]
    assert created["rates"] == listed["rates"] == "pages"
    plain = boss.post("/api-keys/", {**order, "name": "Plain client"}, status=201).json
    assert plain["rates"] is None
    # A request has the rates of the key in its header.
    limits = []
    for key in (created["key"], plain["key"]):
        client = app.staff("moderator").client
        client.key = key
        limits.append(client.get("/dashboard/staff/", status=200).headers["X-RateLimit-Limit"])
    assert limits == ["300", "10"]


def test_only_a_failed_job_can_be_run_again(app, boss):
    with begin(app.runtime) as work:
        jobs.enqueue(work, "leaderboard.publish")
        work.db.flush()
        job_id = work.db.scalars(select(Job.id).where(Job.name == "leaderboard.publish")).one()
    boss.post(f"/jobs/{job_id}/retry/", status=400, code="invalid")
    with begin(app.runtime) as work:
        work.db.execute(
            update(Job).where(Job.id == job_id).values(state="failed", finished_at=work.now)
        )
    assert [each["id"] for each in boss.get("/jobs/?state=failed").json["results"]] == [job_id]
    assert boss.post(f"/jobs/{job_id}/retry/", status=202).json["state"] == "pending"
    app.run_jobs()
    assert boss.get("/jobs/?search=leaderboard").json["results"][0]["state"] == "done"
    assert "job.retry" in actions(app)


def test_emails_are_found_by_recipient_and_sent_again_with_a_new_code(app, boss):
    ada = app.candidate(is_email_verified=False)
    with begin(app.runtime) as work:
        mails.send(work, "accounts.email_code", ada.email)
        mails.send(work, "accounts.email_code", app.candidate(is_email_verified=False).email)
        work.db.execute(update(Mail).values(state="failed", last_error="No connection."))
    [mail] = boss.get(f"/mails/?recipient={ada.email.upper()}", status=200).json["results"]
    assert (mail["state"], mail["last_error"]) == ("failed", "No connection.")
    assert set(mail) == {
        *("id", "template", "recipient", "state", "tries", "last_error", "created_at", "sent_at"),
    }
    resend = f"/mails/{mail['id']}/resend/"
    boss.post(resend, status=202)
    boss.post(resend, status=400, code="invalid")
    app.run_jobs()
    [sent] = boss.get(f"/mails/?recipient={ada.email}&state=sent").json["results"]
    assert sent["id"] == mail["id"]
    assert "mail.resend" in actions(app)
    boss.post("/mails/999999/resend/", status=404, code="not_found")
