"""Reports of backups (decisions M12, H6)."""

import pytest
from sqlalchemy import select

from competition.core.auth.access import KeyScope
from competition.core.mail.models import Mail
from competition.core.users import api_keys
from competition.core.work import begin
from competition.plugins.dashboards.services.dashboards import NUMBERS
from competition.plugins.operations.models import BackupReport
from competition.plugins.operations.tasks import delete_old_reports
from competition.testing.races import together
from competition.testing.service import text_of

PATH = "/webhooks/db-backup/"
REPORT = {
    "status": "success",
    "environment": "prod",
    "timestamp": "2026-03-01T04:00:00+02:00",
    "backup_filename": "league-2026-03-01.dump",
}
FAILURE = {**REPORT, "status": "final_failure", "error_message": "disk full\n\n<0 bytes> left"}


def stored(service):
    with begin(service.runtime) as work:
        return work.db.scalars(select(BackupReport)).one()


def test_a_report_is_stored(app):
    reply = app.anonymous.post(PATH, {**REPORT, "error_message": "none"}, status=200)
    assert reply.json == {"status": "received"}
    report = stored(app)
    assert (report.status, report.environment) == ("success", "prod")
    assert report.timestamp.isoformat() == "2026-03-01T02:00:00+00:00"
    assert (report.backup_filename, report.error_message) == (REPORT["backup_filename"], "none")
    assert report.received_at == app.clock.now


def test_the_longest_message_is_accepted_in_any_encoding(app):
    report = {**REPORT, "error_message": "😀" * 20_000}
    # JSON in ASCII needs twelve bytes for each of these characters.
    app.anonymous.post(PATH, report, status=200)


@pytest.mark.parametrize("message", [{}, {"error_message": None}, {"error_message": ""}])
def test_an_error_message_is_optional(app, message):
    app.anonymous.post(PATH, {**REPORT, **message}, status=200)
    assert stored(app).error_message == ""


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("status", "failure"),
        ("environment", "production"),
        ("timestamp", "yesterday"),
        ("backup_filename", "a\nb"),
        ("error_message", "a bell\a"),
    ],
)
def test_an_invalid_report_is_rejected(app, field, value):
    reply = app.anonymous.post(PATH, {**REPORT, field: value}, status=400, code="invalid")
    assert list(reply.json["errors"]) == [field]


@pytest.mark.parametrize("field", REPORT)
def test_each_field_is_required(app, field):
    body = {name: value for name, value in REPORT.items() if name != field}
    reply = app.anonymous.post(PATH, body, status=400, code="invalid")
    assert list(reply.json["errors"]) == [field]


def test_a_final_failure_is_emailed_to_active_superadmins(app):
    roots = [app.staff("superadmin"), app.staff("superadmin")]
    app.staff("superadmin", is_active=False)
    app.staff("manager")
    app.anonymous.post(PATH, FAILURE, status=200)
    mails = app.mails()
    assert sorted(mail["To"] for mail in mails) == sorted(root.email for root in roots)
    assert "prod" in mails[0]["Subject"]
    text = text_of(mails[0])
    assert "on 2026-03-01 at 02:00:00 UTC" in " ".join(text.split())
    assert "competition backups list" in text


def test_the_email_contains_no_text_of_the_report(app):
    app.staff("superadmin")
    app.anonymous.post(PATH, FAILURE, status=200)
    [mail] = app.mails()
    for text in (text_of(mail), mail.get_body(("html",)).get_content()):
        assert not [word for word in ("disk full", "bytes", "dump") if word in text]


def test_a_key_without_the_scope_can_not_report_backups(app):
    """Every client application contains a key without this scope."""
    with begin(app.runtime) as work:
        app.anonymous.key = api_keys.create(work, "website")
    app.anonymous.post(PATH, REPORT, status=403, code="permission_denied")
    app.anonymous.get("/registration/", status=200)


def test_superadmins_get_at_most_ten_emails_an_hour(app):
    """The limit also applies to the key of a backup script."""
    app.staff("superadmin")
    for number in range(24):
        app.anonymous.post(PATH, {**FAILURE, "backup_filename": f"{number}.dump"}, status=200)
        if number == 11:
            app.clock.advance(minutes=30)
    assert len(app.mails()) == 10
    # Superadmins are emailed again after an hour, however long the failures last.
    app.clock.advance(minutes=30)
    app.anonymous.post(PATH, {**FAILURE, "backup_filename": "an hour later.dump"}, status=200)
    assert len(app.mails()) == 11


@pytest.mark.parametrize("status", ["success", "first_failure"])
def test_other_reports_are_not_emailed(app, status):
    app.staff("superadmin")
    app.anonymous.post(PATH, {**REPORT, "status": status}, status=200)
    with begin(app.runtime) as work:
        assert work.db.scalars(select(Mail)).all() == []


def test_a_repeated_report_is_stored_once(app):
    """A script that received no response sends its report again."""
    app.staff("superadmin")
    long = {**FAILURE, "backup_filename": "ü" * 1000}
    for _ in range(2):
        reply = app.anonymous.post(PATH, long, status=200)
        assert reply.json == {"status": "received"}
    assert len(app.mails()) == 1
    stored(app)
    for other in (
        {"backup_filename": "another.dump"},
        {"environment": "staging"},
        {"timestamp": "2026-03-01T05:00:00Z"},
    ):
        app.anonymous.post(PATH, {**long, **other}, status=200)
    assert len(app.mails()) == 4


def test_simultaneous_copies_of_a_report_are_stored_once(live):
    live.staff("superadmin")
    clients = [live.client() for _ in range(4)]
    together(4, lambda index: clients[index].post(PATH, FAILURE, status=200))
    stored(live)
    assert len(live.mails()) == 1


def test_sixty_reports_a_minute_are_accepted_per_key(app_with):
    service = app_with({"competition.ratelimit.enabled": "true"})
    for _ in range(60):
        reply = service.anonymous.post(PATH, REPORT, status=200)
    assert reply.headers["X-RateLimit-Limit"] == "60"
    assert reply.headers["X-RateLimit-Remaining"] == "0"
    service.anonymous.post(PATH, REPORT, status=429, code="throttle_exceeded")
    with begin(service.runtime) as work:
        other = service.client()
        scopes = [KeyScope.WEBHOOK]
        other.key = api_keys.create(work, "another backup script", scopes=scopes)
    other.post(PATH, REPORT, status=200)


def test_the_command_line_lists_the_reports(live, run):
    live.anonymous.post(PATH, REPORT)
    live.anonymous.post(PATH, FAILURE)
    _, first, second = run("backups", "list").output.splitlines()
    assert first.split()[1:] == ["2026-03-01", "02:00:00", "prod", "success", *first.split()[5:]]
    assert first.split()[5:] == [REPORT["backup_filename"], "-"]
    assert second.endswith("disk full <0 bytes> left")


def test_reports_are_deleted_after_400_days(app):
    app.anonymous.post(PATH, REPORT, status=200)
    app.clock.advance(days=399)
    app.anonymous.post(PATH, {**REPORT, "status": "first_failure"}, status=200)
    app.clock.advance(days=2)
    with begin(app.runtime) as work:
        delete_old_reports(work)
    assert stored(app).status == "first_failure"


def test_superadmins_list_the_reports_the_latest_first(app):
    client = app.client()
    for name in ("one.dump", "two.dump"):
        report = {
            "status": "success",
            "environment": "prod",
            "timestamp": "2026-03-01T08:00:00Z",
            "backup_filename": name,
        }
        client.post("/webhooks/db-backup/", report, status=200)
    boss = app.staff("superadmin")
    listed = boss.get("/backups/", status=200).json["results"]
    assert [each["backup_filename"] for each in listed] == ["two.dump", "one.dump"]
    assert boss.get("/backups/?status=final_failure").json["results"] == []
    assert len(boss.get("/backups/?search=one").json["results"]) == 1


def test_a_late_backup_is_a_to_do_of_superadmins(app):
    def late(role="superadmin"):
        with begin(app.runtime) as work:
            NUMBERS.refresh(work)
        todo = app.staff(role).get("/dashboard/staff/", status=200).json["todo"]
        return [each for each in todo if each["kind"] == "backups.late"]

    # Without any report, no backup is late, because operators may monitor backups in another way.
    assert late() == []
    app.anonymous.post(PATH, REPORT, status=200)
    app.clock.advance(days=2)
    assert late() == []
    app.clock.advance(seconds=1)
    # A failure does not count as a backup.
    app.anonymous.post(PATH, FAILURE, status=200)
    [found] = late()
    assert found == {
        "kind": "backups.late",
        "count": 1,
        "oldest": "2026-03-01T09:00:00Z",
        "link": "house/service",
    }
    assert late("manager") == []
    app.anonymous.post(PATH, {**REPORT, "timestamp": "2026-03-03T10:00:00Z"}, status=200)
    assert late() == []


def test_a_service_whose_first_backup_failed_has_a_to_do(app):
    root = app.staff("superadmin")
    app.anonymous.post(PATH, FAILURE, status=200)
    [found] = root.get("/dashboard/staff/", status=200).json["todo"]
    assert (found["kind"], found["oldest"]) == ("backups.late", None)
