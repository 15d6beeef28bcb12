"""Both built-in storages: a folder whose files this service serves, and a real S3 server.

The contract of every storage is in `competition.testing.storages`.
"""

import io
import os
import urllib.error
import urllib.request
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import boto3
import pytest

from competition.core.errors import StorageUnavailable
from competition.core.monitoring.logs import SELDOM
from competition.core.settings import Secret
from competition.core.storage import files
from competition.core.storage.contract import Storage, parse_prefix
from competition.core.storage.keys import is_key, new_key
from competition.core.storage.local import LocalStorage
from competition.core.work import begin
from competition.testing.identity_papers import PDF, PNG, submit
from competition.testing.storages import CONTENT, StorageContract, put
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.s3 import ACCESS_KEY, BUCKET, SECRET_KEY, S3Server


@pytest.fixture(params=["folder", "s3"])
def service(request, app, s3_storage):
    """The service, once with each storage."""
    if request.param == "s3":
        server = request.getfixturevalue("s3_server")
        before = app.runtime[Storage]
        app.runtime.provide(Storage, s3_storage(server.url))
        yield app
        app.runtime.provide(Storage, before)
    else:
        yield app


def download(service, url):
    """The status, headers and body for a URL. The request has no headers of an API client, like a
    browser's.
    """
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


def store(service, content=PNG, extension="png", **options):
    with begin(service.runtime) as work:
        return files.store(
            work, content, extension, plugin="tests", subject="exam 7", folder="papers", **options
        )


def link(service, key):
    with begin(service.runtime) as work:
        return files.link(work, key)


class TestFolder(StorageContract):
    @pytest.fixture
    def storage(self, tmp_path):
        return LocalStorage(tmp_path / "files")

    def test_only_the_services_user_can_read_the_folder(self, storage, tmp_path):
        key = put(storage, name="certificate")
        for folder in list((tmp_path / "files" / key).parents)[:2]:
            assert folder.stat().st_mode & 0o077 == 0

    def test_a_failed_upload_leaves_no_file(self, storage, tmp_path):
        class Full(io.BytesIO):
            def read(self, *args):
                if self.tell():
                    raise OSError("no space left")
                return super().read(1)

        with pytest.raises(StorageUnavailable):
            storage.put(new_key("papers", "png"), Full(PNG), "image/png")
        assert [path for path in tmp_path.rglob("*") if path.is_file()] == []

    def test_the_log_has_the_reason_of_a_failure(self, tmp_path, caplog):
        SELDOM.forget()
        (tmp_path / "files").touch()
        with pytest.raises(StorageUnavailable):
            put(LocalStorage(tmp_path / "files"))
        [logged] = caplog.messages
        assert "Not a directory" in logged or "File exists" in logged

    def test_a_key_can_not_be_stored_a_second_time(self, storage):
        key = put(storage)
        with pytest.raises(StorageUnavailable):
            storage.put(key, io.BytesIO(PNG), "image/png")
        assert storage.exists(key)

    def test_deleting_a_named_file_deletes_its_folder(self, storage, tmp_path):
        storage.delete(put(storage, name="certificate"))
        assert list((tmp_path / "files" / "contract").iterdir()) == []

    def test_a_missing_folder_is_an_unavailable_storage(self, tmp_path, storage):
        with pytest.raises(StorageUnavailable):
            LocalStorage(tmp_path / "nowhere").exists(new_key("papers", "png"))
        # The disk of one plugin's files may be another one.
        key = put(storage)
        (tmp_path / "files" / "contract").rename(tmp_path / "files" / "away")
        for read in (storage.exists, storage.open):
            with pytest.raises(StorageUnavailable):
                read(key)

    @pytest.mark.parametrize("name", [None, "certificate"])
    def test_a_stored_file_and_its_folders_are_on_the_disk(
        self, storage, tmp_path, monkeypatch, name
    ):
        synced = {}
        sync = os.fsync

        def record(opened):
            synced[Path(os.readlink(f"/proc/self/fd/{opened}"))] = os.fstat(opened).st_size
            sync(opened)

        monkeypatch.setattr(os, "fsync", record)
        path = tmp_path / "files" / put(storage, name=name)
        assert synced.pop(path) == len(CONTENT)
        between = [each for each in path.parents if each.is_relative_to(tmp_path / "files")]
        assert {*synced} == {*between}


def test_a_stored_file_is_downloaded_as_an_attachment(service):
    for content, extension, kind in ((PNG, "png", "image/png"), (PDF, "pdf", "application/pdf")):
        url = link(service, store(service, content, extension))
        status, headers, body = download(service, url)
        assert (status, body) == (200, content)
        assert headers["Content-Type"] == kind
        assert headers["Content-Disposition"].startswith("attachment; filename=")
        assert headers["Cache-Control"] == "no-store"


def test_a_file_is_downloaded_under_its_name(service):
    _, headers, _ = download(service, link(service, store(service, name="certificate")))
    assert headers["Content-Disposition"] == 'attachment; filename="certificate.png"'


def test_a_link_without_a_signature_is_rejected(service):
    url = link(service, store(service))
    status, _, body = download(service, url.partition("?")[0])
    assert status in (403, 404)
    assert PNG not in body
    status, _, body = download(service, url[:-4] + "0000")
    assert status in (403, 404)
    assert PNG not in body


def test_the_link_of_a_deleted_file_is_not_found(service):
    key = store(service)
    url = link(service, key)
    with begin(service.runtime) as work:
        files.delete(work, key)
    assert download(service, url)[0] == 404


def test_uploaded_documents_can_be_downloaded(service):
    person = service.candidate(verification="not_submitted")
    submit(person, status=201)
    path = f"/user/verification/documents/id_card/{person.id}/"
    url = service.staff("manager").get(path, status=200).json["url"]
    assert download(service, url)[2] == PDF


def test_documents_are_deleted_some_time_after_the_decision(service):
    manager = service.staff("manager")
    person = service.candidate(verification="not_submitted")
    pending = service.candidate(verification="not_submitted")
    for each in (person, pending):
        submit(each)
    path = f"/user/verification/action/{person.id}/"
    manager.post(path, {"is_rejected": True, "rejection_reason": "Blurred."})
    keys = list(service.runtime[Storage].keys(before=datetime.now(UTC) + timedelta(hours=1)))
    service.clock.advance(days=30, seconds=-1)
    purge(service)
    assert service.user(person).face_id is not None
    service.clock.advance(seconds=1)
    purge(service)
    user = service.user(person)
    assert (user.face_id, user.id_card, user.verification_document) == (None, None, None)
    assert service.user(pending).face_id is not None
    left = list(service.runtime[Storage].keys(before=datetime.now(UTC) + timedelta(hours=1)))
    assert len(keys) - len(left) == 3
    fresh = service.new_session(person)
    record = fresh.get("/user/verification/status/").json
    assert (record["status"], record["rejection_reason"]) == ("rejected", "Blurred.")
    # The deleted files have to be uploaded again.
    one = {"face_id": ("face.png", PNG)}
    upload = "/user/verification/upload/"
    reply = fresh.upload("PATCH", upload, one, status=400, code="invalid")
    assert set(reply.json["errors"]) == {"id_card", "verification_document"}


def purge(service):
    from competition.plugins.verification.services.retention import purge_documents

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


class TestS3(StorageContract):
    @pytest.fixture
    def storage(self, s3_server, s3_storage):
        return s3_storage(s3_server.url)

    def test_a_link_expires(self, storage):
        url = storage.link(put(storage), "image/svg+xml", 1)
        # This does not check how long the link works, only that it expires.
        wait_until(lambda: is_forbidden(url), pause=0.2)

    def test_wrong_credentials_make_the_storage_unavailable(self, s3_server, s3_storage):
        storage = s3_storage(s3_server.url, s3_secret_key=Secret("wrong"))
        with pytest.raises(StorageUnavailable):
            put(storage)
        with pytest.raises(StorageUnavailable):
            storage.exists("papers/x.png")
        with pytest.raises(StorageUnavailable):
            storage.open("papers/x.png")

    def test_an_unavailable_server_returns_502_and_changes_nothing(self, app, s3_storage, tmp_path):
        with S3Server(tmp_path / "s3") as server:
            app.runtime.provide(Storage, s3_storage(server.url))
            person = app.candidate(verification="not_submitted")
            other = app.candidate(verification="not_submitted")
            submit(person, status=201)
            server.stop()
            submit(other, status=502, code="storage_unavailable")
            path = f"/user/verification/documents/id_card/{person.id}/"
            person.get(path, status=502, code="storage_unavailable")
            assert other.get("/user/verification/status/").json["status"] == "not_submitted"
            # While the storage is unavailable, the profile is shown without its pictures.
            person.get("/candidates/me/", status=200)
            server.start()
            submit(other, status=201)

    def test_without_credentials_a_profile_has_no_pictures(self, app, s3_storage, monkeypatch):
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        nowhere = "/nowhere"
        monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", nowhere)
        monkeypatch.setenv("AWS_CONFIG_FILE", nowhere)
        person = app.candidate(face_id="verification/face.png")
        app.runtime.provide(Storage, s3_storage("", s3_access_key="", s3_secret_key=Secret("")))
        assert person.get("/candidates/me/", status=200).json["face_id"] is None


def objects(server):
    """The names of all objects in the bucket."""
    client = boto3.client(
        "s3",
        endpoint_url=server.url,
        region_name="us-east-1",
        aws_access_key_id=ACCESS_KEY,
        aws_secret_access_key=SECRET_KEY,
    )
    pages = client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET)
    return [item["Key"] for page in pages for item in page.get("Contents", [])]


class TestS3WithAPrefix(StorageContract):
    @pytest.fixture
    def prefix(self):
        return f"league/{uuid4().hex[:8]}"

    @pytest.fixture
    def storage(self, s3_server, s3_storage, prefix):
        return s3_storage(s3_server.url, s3_prefix=parse_prefix(prefix))

    def test_the_prefix_is_part_of_every_object_name_and_of_no_key(
        self, s3_server, storage, prefix
    ):
        key = put(storage)
        assert f"{prefix}/{key}" in objects(s3_server)
        assert is_key(key)

    def test_objects_with_other_prefixes_are_not_listed(
        self, s3_server, s3_storage, storage, prefix
    ):
        key = put(storage)
        in_an_hour = datetime.now(UTC) + timedelta(hours=1)
        for other in (f"{prefix}2", f"{prefix}/staging", "other"):
            put(s3_storage(s3_server.url, s3_prefix=parse_prefix(other)))
        # The other service's objects have names that are not keys of this service.
        assert [each for each in storage.keys(in_an_hour) if is_key(each)] == [key]


@pytest.mark.parametrize("text", ["staging", "staging/", "/staging", "/staging/"])
def test_a_prefix_ends_with_one_slash(text):
    assert parse_prefix(text) == "staging/"


@pytest.mark.parametrize("text", ["/", "a//b", "../a", "a b", "a/./b", "a?"])
def test_a_malformed_prefix_is_rejected(text):
    with pytest.raises(ValueError, match="is not a prefix"):
        parse_prefix(text)
