"""One contract for both storages: a folder behind this service's links, and a real S3 server."""

import io
import os
import urllib.error
import urllib.request
from datetime import UTC, datetime, timedelta

import pytest

from competition.core.errors import StorageUnavailable
from competition.core.settings import Secret
from competition.core.storage.backends import StorageSettings
from competition.core.storage.s3 import S3Storage
from competition.core.users.attachments import delete_orphans
from competition.core.users.models import User
from competition.core.work import begin
from tests.support.identity_papers import PDF, PNG, submit
from tests.support.s3 import ACCESS_KEY, BUCKET, SECRET_KEY, S3Server
from tests.support.waiting import PATIENCE, wait_until


@pytest.fixture(scope="module")
def s3_server(tmp_path_factory):
    with S3Server(tmp_path_factory.mktemp("s3")) as server:
        yield server


def s3_storage(url, **changes):
    values = {
        "s3_bucket": BUCKET,
        "s3_endpoint_url": url,
        "s3_access_key": ACCESS_KEY,
        "s3_secret_key": Secret(SECRET_KEY),
        "s3_timeout": 5.0,
        **changes,
    }
    return S3Storage(StorageSettings(**values))


@pytest.fixture(params=["folder", "s3"])
def service(request, app):
    """The service on each of the storages."""
    if request.param == "s3":
        server = request.getfixturevalue("s3_server")
        before = app.runtime.storage
        app.runtime.storage = s3_storage(server.url)
        yield app
        app.runtime.storage = before
    else:
        yield app


def download(service, url):
    """(status, headers, body), as a browser gets it: without any header of ours."""
    prefix = f"{service.runtime.public_url}/v1"
    if url.startswith(prefix):
        bare = service.client()
        bare.key = None
        reply = bare.get(url.removeprefix(prefix), status="any")
        return reply.status_int, reply.headers, reply.body
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE) as reply:
            return reply.status, reply.headers, reply.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def now(service):
    return service.clock.now


def test_what_is_stored_comes_back_as_an_attachment(service):
    storage = service.runtime.storage
    for content, extension, kind in ((PNG, "png", "image/png"), (PDF, "pdf", "application/pdf")):
        key = storage.put("papers", io.BytesIO(content), extension)
        status, headers, body = download(service, storage.url(key, now(service)))
        assert (status, body) == (200, content)
        assert headers["Content-Type"] == kind
        assert headers["Content-Disposition"].startswith("attachment; filename=")
        assert headers["Cache-Control"] == "no-store"


def test_keys_are_random_and_say_nothing(service):
    keys = [service.runtime.storage.put("papers", io.BytesIO(PNG), "png") for _ in range(2)]
    assert keys[0] != keys[1]
    for key in keys:
        folder, _, name = key.partition("/")
        assert folder == "papers"
        assert len(name) == 32 + len(".png")


def test_without_a_signature_nothing_is_given(service):
    storage = service.runtime.storage
    url = storage.url(storage.put("papers", io.BytesIO(PNG), "png"), now(service))
    status, _, body = download(service, url.partition("?")[0])
    assert status in (403, 404)
    assert PNG not in body
    status, _, body = download(service, url[:-4] + "0000")
    assert status in (403, 404)
    assert PNG not in body


def test_a_deleted_file_is_gone_and_deleting_again_is_no_error(service):
    storage = service.runtime.storage
    key = storage.put("papers", io.BytesIO(PNG), "png")
    assert storage.exists(key)
    for _ in range(2):
        storage.delete(key)
    assert not storage.exists(key)
    assert download(service, storage.url(key, now(service)))[0] == 404


def test_the_keys_of_what_is_old(service):
    storage = service.runtime.storage
    key = storage.put("papers", io.BytesIO(PNG), "png")
    in_an_hour = datetime.now(UTC) + timedelta(hours=1)
    assert key in list(storage.keys(before=in_an_hour))
    assert key not in list(storage.keys(before=in_an_hour - timedelta(hours=2)))


def test_documents_go_up_and_are_seen(service):
    person = service.candidate(verification="not_submitted")
    submit(person, status=201)
    path = f"/user/verification/documents/id_card/{person.id}/"
    url = service.staff("manager").get(path, status=200).json["url"]
    assert download(service, url)[2] == PDF


def test_orphans_are_deleted_and_what_is_referred_to_stays(service):
    storage = service.runtime.storage
    person = service.candidate(verification="not_submitted")
    submit(person, status=201)
    orphan = storage.put("verification", io.BytesIO(PNG), "png")
    # Everything was stored just now, by the clock of this machine.
    service.clock.now = datetime.now(UTC) + timedelta(hours=23)
    with begin(service.runtime) as work:
        delete_orphans(work)
    assert storage.exists(orphan)
    service.clock.now = datetime.now(UTC) + timedelta(hours=25)
    with begin(service.runtime) as work:
        delete_orphans(work)
        user = work.db.get_one(User, person.id)
    assert not storage.exists(orphan)
    for key in (user.face_id, user.id_card, user.verification_document):
        assert storage.exists(key)


def test_documents_are_purged_some_time_after_the_decision_which_stays(service):
    manager = service.staff("manager")
    person = service.candidate(verification="not_submitted")
    pending = service.candidate(verification="not_submitted")
    for each in (person, pending):
        submit(each)
    path = f"/user/verification/action/{person.id}/"
    manager.post(path, {"is_rejected": True, "rejection_reason": "Blurred."})
    keys = list(service.runtime.storage.keys(before=datetime.now(UTC) + timedelta(hours=1)))
    service.clock.advance(days=30, seconds=-1)
    purge(service)
    assert service.user(person).face_id is not None
    service.clock.advance(seconds=1)
    purge(service)
    user = service.user(person)
    assert (user.face_id, user.id_card, user.verification_document) == (None, None, None)
    assert service.user(pending).face_id is not None
    left = list(service.runtime.storage.keys(before=datetime.now(UTC) + timedelta(hours=1)))
    assert len(keys) - len(left) == 3
    fresh = service.new_session(person)
    record = fresh.get("/user/verification/status/").json
    assert (record["status"], record["rejection_reason"]) == ("rejected", "Blurred.")
    # What is gone has to be sent again.
    one = {"face_id": ("face.png", PNG)}
    upload = "/user/verification/upload/"
    reply = fresh.upload("PATCH", upload, one, status=400, code="invalid")
    assert set(reply.json["errors"]) == {"id_card", "verification_document"}


def purge(service):
    from competition.plugins.verification.services import purge_documents

    with begin(service.runtime) as work:
        purge_documents(work)


def is_forbidden(url):
    try:
        urllib.request.urlopen(url, timeout=PATIENCE).close()
    except urllib.error.HTTPError as error:
        with error:
            assert error.code == 403
        return True
    return False


class TestS3:
    def test_a_link_expires(self, s3_server):
        storage = s3_storage(s3_server.url, link_seconds=1)
        url = storage.url(storage.put("papers", io.BytesIO(PNG), "png"), datetime.now(UTC))
        # Nothing is asserted of how long it works: only that it ends.
        wait_until(lambda: is_forbidden(url), pause=0.2)

    def test_wrong_credentials_are_unavailable(self, s3_server):
        storage = s3_storage(s3_server.url, s3_secret_key=Secret("wrong"))
        with pytest.raises(StorageUnavailable):
            storage.put("papers", io.BytesIO(PNG), "png")
        with pytest.raises(StorageUnavailable):
            storage.exists("papers/x.png")

    def test_a_server_that_is_down_is_a_502_and_nothing_is_changed(self, app, tmp_path):
        with S3Server(tmp_path / "s3") as server:
            app.runtime.storage = s3_storage(server.url)
            person = app.candidate(verification="not_submitted")
            other = app.candidate(verification="not_submitted")
            submit(person, status=201)
            server.stop()
            submit(other, status=502, code="storage_unavailable")
            path = f"/user/verification/documents/id_card/{person.id}/"
            person.get(path, status=502, code="storage_unavailable")
            assert other.get("/user/verification/status/").json["status"] == "not_submitted"
            # A profile without its pictures is better than no profile.
            person.get("/candidates/me/", status=200)
            server.start()
            submit(other, status=201)

    def test_without_credentials_a_profile_has_no_pictures(self, app, monkeypatch):
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        nowhere = "/nowhere"
        monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", nowhere)
        monkeypatch.setenv("AWS_CONFIG_FILE", nowhere)
        person = app.candidate(face_id="verification/face.png")
        app.runtime.storage = s3_storage("", s3_access_key="", s3_secret_key=Secret(""))
        assert person.get("/candidates/me/", status=200).json["face_id"] is None

    def test_boto3_is_not_loaded_for_a_folder(self):
        import subprocess
        import sys

        code = "import sys, competition.core.plugins; sys.exit('boto3' in sys.modules)"
        subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, cwd=os.getcwd())
