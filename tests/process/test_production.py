"""Run `production.ini` with PostgreSQL, Redis, S3 and SMTP servers from environment variables.

No process stores anything on its own machine.
"""

import io
import re
import signal
import sys
from email import message_from_string
from email.policy import default
from secrets import token_hex, token_urlsafe
from urllib.request import urlopen
from zipfile import ZipFile

import httpx
import pytest
from aiosmtpd.controller import Controller
from websockets.sync.client import connect

from competition.core.storage.keys import new_key
from competition.testing.identity_papers import PNG, encrypted_pdf
from competition.testing.sockets import nothing_came
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.ports import free_port
from tests.support.processes import Launcher, call, competition, environment, is_healthy, log_in
from tests.support.repository import REPOSITORY
from tests.support.s3 import ACCESS_KEY, BUCKET, SECRET_KEY, S3Server

PRODUCTION = str(REPOSITORY / "production.ini")
PASSWORD = "correct horse battery"
# Code that deletes files without a row, as housekeeping does, with the clock two days ahead.
TWO_DAYS_LATER = """
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from competition.cli.ini import Ini
from competition.core.storage.orphans import delete_orphans
from competition.core.work import begin

with Ini(Path(sys.argv[1])).runtime() as runtime:
    runtime.clock = lambda: datetime.now(UTC) + timedelta(days=2)
    with begin(runtime) as work:
        delete_orphans(work)
"""


class Mailbox:
    """An SMTP handler that keeps the emails in memory."""

    def __init__(self):
        self.mails = []

    async def handle_DATA(self, server, session, envelope):
        self.mails.append((envelope.rcpt_tos, envelope.content.decode()))
        return "250 OK"


@pytest.fixture
def mailbox():
    mailbox = Mailbox()
    controller = Controller(mailbox, hostname="127.0.0.1", port=free_port())
    controller.start()
    mailbox.port = controller.port
    yield mailbox
    controller.stop()


@pytest.fixture
def production(addresses, databases, mailbox, tmp_path):
    url, port = databases.create(), free_port()
    (tmp_path / "here").mkdir(mode=0o555)
    (tmp_path / "tmp").mkdir()
    with S3Server(tmp_path / "s3") as s3:
        launcher = Launcher(
            tmp_path,
            environment(
                tmp_path / "var",
                COMPETITION_DATABASE_URL=url,
                COMPETITION_REDIS_URL=addresses.redis_url,
                COMPETITION_SIGNING_KEYS=token_hex(32),
                COMPETITION_RECEIPTS_KEYS=token_urlsafe(32),
                COMPETITION_PUBLIC_URL=f"http://127.0.0.1:{port}",
                COMPETITION_SUPPORT_EMAIL="support@league.example",
                COMPETITION_MAIL_SENDER="league@league.example",
                COMPETITION_MAIL_SMTP_HOST="127.0.0.1",
                COMPETITION_MAIL_SMTP_PORT=str(mailbox.port),
                COMPETITION_MAIL_SMTP_SECURITY="none",
                COMPETITION_STORAGE_S3_BUCKET=BUCKET,
                COMPETITION_STORAGE_S3_ENDPOINT_URL=s3.url,
                COMPETITION_STORAGE_S3_ACCESS_KEY=ACCESS_KEY,
                COMPETITION_STORAGE_S3_SECRET_KEY=SECRET_KEY,
                COMPETITION_SERVER_PORT=str(port),
                COMPETITION_SERVER_WORKERS="1",
                COMPETITION_WS_PORT=str(free_port()),
                TMPDIR=str(tmp_path / "tmp"),
            ),
            cwd=tmp_path / "here",
        )
        del launcher.environment["COMPETITION_MAIL_FOLDER"]
        del launcher.environment["COMPETITION_STORAGE_FOLDER"]
        launcher.s3 = s3
        yield launcher
        launcher.end_all()
    databases.drop(url)


def test_production_starts_and_works(production, mailbox, tmp_path):
    orphan = new_key("face_id", "png")
    production.s3.client.put_object(Bucket=BUCKET, Key=orphan, Body=PNG)
    upgraded, created = production.run_all(
        f"competition db upgrade '{PRODUCTION}'",
        f"competition api-key create website '{PRODUCTION}'",
    )
    assert (upgraded.status, created.status) == (0, 0), (upgraded, created)
    key = created.output.strip()
    api = production.start(competition("api", PRODUCTION))
    worker = production.start(competition("worker", PRODUCTION))
    ws = production.start(competition("ws", PRODUCTION))
    base = f"http://127.0.0.1:{production.environment['COMPETITION_SERVER_PORT']}/v1"
    wait_until(lambda: is_healthy(base))
    for process in (api, worker):
        for key_of_risk in ("competition.mail.smtp_security", "competition.public_url"):
            wait_until(lambda process=process, said=f"{key_of_risk}: ": process.says(said))
            assert process.output.count(f"{key_of_risk}: ") == 1
    for path in ("/health/", "/nowhere/"):
        assert httpx.get(base + path, timeout=PATIENCE).headers.get("Server", "") == ""

    account = {
        "email": "ada@school.example",
        "first_name": "Ada",
        "last_name": "Lovelace",
        "phone": "+441234567",
        "school": "Hillside School",
        "password": PASSWORD,
        "password2": PASSWORD,
    }
    assert call("POST", f"{base}/register/candidate/", account, key)[0] == 201
    wait_until(lambda: mailbox.mails)
    [(recipients, content)] = mailbox.mails
    assert recipients == ["ada@school.example"]
    code = re.search(r"\b\d{6}\b", content.partition("\r\n\r\n")[2])[0]
    proof = {"email": account["email"], "otp": code}
    assert call("POST", f"{base}/verify-email-otp/", proof, key)[0] == 200

    status, reply = log_in(base, key, account["email"], PASSWORD)
    assert status == 200
    locked = encrypted_pdf(password="secret")
    assert upload(base, key, reply["access"], id_card=("card.pdf", locked)) == 400
    assert upload(base, key, reply["access"]) == 201
    user_id = reply["profile"]["user"]["id"]
    path = f"/user/verification/documents/face_id/{user_id}/"
    status, link = call("GET", base + path, key=key, token=reply["access"])
    assert status == 200
    assert fetched(link["url"]) == PNG

    # The worker reads files that the api stored, and stores a file itself.
    mailbox.mails.clear()
    assert call("POST", f"{base}/users/me/export/", {}, key, reply["access"])[0] == 202
    wait_until(lambda: mailbox.mails)
    [(_, content)] = mailbox.mails
    text = message_from_string(content, policy=default).get_body(("plain",)).get_content()
    with ZipFile(io.BytesIO(fetched(re.search(r"http://\S+", text)[0]))) as export:
        files = [name for name in export.namelist() if name.startswith("files/")]
        assert len(files) == 3 and {export.read(name) for name in files} == {PNG}

    sockets = f"127.0.0.1:{production.environment['COMPETITION_WS_PORT']}/v1"
    wait_until(lambda: is_healthy(f"http://{sockets}"))
    headers = {"X-Api-Key": key, "Authorization": f"Bearer {reply['access']}"}
    with connect(
        f"ws://{sockets}/ws/notifications/", additional_headers=headers, open_timeout=PATIENCE
    ) as client:
        nothing_came(client)

    for process in (api, worker, ws):
        assert process.end(signal.SIGTERM) == 0
        for secret in (key, PASSWORD, code, SECRET_KEY, reply["access"]):
            assert secret not in process.output
    production.succeed([sys.executable, "-c", TWO_DAYS_LATER, PRODUCTION])
    left = production.s3.listed()
    assert len(left) == 4 and orphan not in left
    assert not (tmp_path / "var").exists()
    for folder in ("here", "tmp"):
        assert [*(tmp_path / folder).iterdir()] == []


def fetched(url):
    with urlopen(url, timeout=PATIENCE) as file:
        return file.read()


def upload(base, key, token, **changes):
    names = ("face_id", "id_card", "verification_document")
    reply = httpx.post(
        f"{base}/user/verification/upload/",
        headers={"X-Api-Key": key, "Authorization": f"Bearer {token}"},
        files={name: (f"{name}.png", PNG) for name in names} | changes,
        timeout=PATIENCE,
    )
    return reply.status_code
