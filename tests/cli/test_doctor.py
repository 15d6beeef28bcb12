"""`competition doctor` and `competition mail test`, which check the service before an exam."""

import os
import resource
from pathlib import Path

import pytest
from sqlalchemy import text

from competition.cli import superadmins
from competition.core.mail.transport import TransportUnreachable
from competition.core.startup import announce
from competition.core.storage.contract import Storage
from competition.core.users import api_keys
from competition.core.work import begin
from competition.testing.service import PASSWORD
from tests.support.s3 import ACCESS_KEY, BUCKET, SECRET_KEY


def findings(output):
    """The level and the message of each check, by the name of the check. The output has two spaces
    between columns.
    """
    rows = [[each.strip() for each in line.split("  ") if each.strip()] for line in output]
    return {row[1]: (row[0], *row[2:]) for row in rows[1:]}


def test_the_doctor_reports_ok_for_a_correct_service(run, live):
    with begin(live.runtime) as work:
        api_keys.create(work, "website")
        root = {"email": "root@league.example", "first_name": "Ada", "last_name": "Root"}
        superadmins.create(work, **root, phone="+4912345678", password=PASSWORD)
    found = findings(run("doctor").stdout.splitlines())
    expected = {"settings", "database", "clock", "time zone", "migrations", "superadmin"}
    expected |= {"api keys", "redis", "storage", "mail", "open files", "reading"}
    assert expected <= set(found)
    for name in expected - {"settings", "open files"}:
        assert found[name][0] == "ok", (name, found[name])
    assert found["database"][1].startswith("PostgreSQL ")
    # The check leaves no files.
    assert not list(live.runtime[Storage].keys(live.runtime.clock()))


def test_the_doctor_leaves_no_folder_in_the_storage(run, live, monkeypatch, tmp_path):
    """If root runs it, the service could not write to a folder that it leaves."""
    folder = tmp_path / "srv" / "files"
    monkeypatch.setenv("COMPETITION_STORAGE_FOLDER", str(folder))
    assert findings(run("doctor").stdout.splitlines())["storage"][0] == "ok"
    assert not folder.parent.exists()
    # If the folder existed before, it stays.
    (folder / "doctor").mkdir(parents=True)
    assert findings(run("doctor").stdout.splitlines())["storage"][0] == "ok"
    assert list(folder.rglob("*")) == [folder / "doctor"]


def test_the_doctor_reads_a_file_from_the_bucket_as_a_page_does(run, live, monkeypatch, s3_server):
    # With a folder as storage, there are no file links to check: the service sends the files
    # itself.
    assert "file links" not in findings(run("doctor").stdout.splitlines())
    values = {"BUCKET": BUCKET, "ENDPOINT_URL": s3_server.url}
    values |= {"ACCESS_KEY": ACCESS_KEY, "SECRET_KEY": SECRET_KEY}
    for name, value in values.items():
        monkeypatch.setenv(f"COMPETITION_STORAGE_S3_{name}", value)
    before = s3_server.listed()
    allow(s3_server, "https://elsewhere.example")
    level, message = findings(run("doctor", status=1).stdout.splitlines())["file links"]
    assert level == "error" and "https://league.example" in message and "CORS" in message
    allow(s3_server, "https://league.example")
    assert findings(run("doctor").stdout.splitlines())["file links"][0] == "ok"
    assert s3_server.listed() == before


def allow(s3_server, origin):
    rule = {"AllowedOrigins": [origin], "AllowedMethods": ["GET"], "MaxAgeSeconds": 3600}
    s3_server.client.put_bucket_cors(Bucket=BUCKET, CORSConfiguration={"CORSRules": [rule]})


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_the_doctor_warns_root_if_the_storage_belongs_to_another_user(
    run, live, monkeypatch, tmp_path
):
    folder = tmp_path / "files"
    folder.mkdir()
    os.chown(folder, 65534, 65534)
    monkeypatch.setenv("COMPETITION_STORAGE_FOLDER", str(folder))
    level, message = findings(run("doctor").stdout.splitlines())["storage"]
    assert level == "warning" and "runuser" in message
    assert list(folder.iterdir()) == []


def test_the_doctor_reports_each_problem_with_its_solution(run, live, monkeypatch, tmp_path):
    monkeypatch.setenv("COMPETITION_MAIL_TRANSPORT", "smtp")
    monkeypatch.setenv("COMPETITION_MAIL_SMTP_HOST", "127.0.0.1")
    monkeypatch.setenv("COMPETITION_MAIL_SMTP_PORT", "1")
    monkeypatch.setenv("COMPETITION_REDIS_URL", f"unix://{tmp_path}/nowhere")
    monkeypatch.setattr(resource, "getrlimit", lambda limit: (1024, 4096))
    with begin(live.runtime) as work:
        work.db.execute(text("alter table audit add column surprise integer"))
    found = findings(run("doctor", status=1).stdout.splitlines())
    assert found["mail"][0] == "error" and "competition.mail" in found["mail"][1]
    assert found["redis"][0] == "error" and "competition.redis.url" in found["redis"][1]
    assert found["open files"][0] == "warning" and "LimitNOFILE=" in found["open files"][1]
    assert found["migrations"][0] == "error" and "db upgrade" in found["migrations"][1]
    assert found["superadmin"][0] == "warning" and "superadmin create" in found["superadmin"][1]


def test_a_test_email_is_sent(run, ini):
    assert "The email was accepted" in run("mail", "test", "Root@League.example").stdout
    folder = next(
        line.partition("=")[2] for line in ini.read_text().splitlines() if "mail.folder" in line
    )
    written = Path(folder.strip(), "00000000.eml").read_text()
    assert "To: root@league.example" in written and "Test email of" in written
    assert "not a valid email address" in run("mail", "test", "root", status=1).output


def test_a_test_email_that_is_not_accepted_is_reported(run, monkeypatch):
    monkeypatch.setenv("COMPETITION_MAIL_TRANSPORT", f"{__name__}.Closed")
    assert (
        "The email was not accepted: OSError" in run("mail", "test", "a@b.example", status=1).output
    )


class Closed:
    def __init__(self, settings):
        pass

    def open(self):
        raise TransportUnreachable(OSError())


@pytest.mark.parametrize("name", ["PlainFormatter", "StructuredFormatter"])
def test_log_times_have_a_time_zone(name):
    import logging

    from competition.core.monitoring import logs

    formatter = getattr(logs, name)("%(asctime)s %(message)s")
    record = logging.LogRecord("x", logging.INFO, "", 0, "hello", (), None)
    record.created = 1_767_225_600.25
    assert "2026-01-01T00:00:00.250Z" in formatter.format(record)


def test_a_starting_process_logs_its_version(live, caplog):
    caplog.set_level("INFO")
    announce(live.runtime.settings, "worker")
    [line] = [each for each in caplog.records if "starts" in each.getMessage()]
    assert line.getMessage().startswith("worker starts: competition ")
    assert line.part == "worker"
