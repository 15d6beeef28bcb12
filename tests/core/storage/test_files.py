"""A file is a row and an object in the storage. A commit keeps both, and a rollback removes
both.
"""

import io

import pytest
from pyramid.config import Configurator
from pyramid.exceptions import ConfigurationError
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from competition.core.errors import NotFound, StorageUnavailable
from competition.core.storage import files
from competition.core.storage.content_types import UnknownContentType
from competition.core.storage.contract import Storage
from competition.core.storage.keys import is_key
from competition.core.storage.models import File
from competition.core.users.models import User
from competition.core.work import begin
from competition.testing.identity_papers import PDF

SUBJECT = "exam 7"


def store(work, content=PDF, extension="pdf", **options):
    values = {"plugin": "certificates", "subject": SUBJECT, **options}
    return files.store(work, content, extension, **values)


@pytest.fixture
def key(app):
    with begin(app.runtime) as work:
        return store(work)


def rows(app):
    with begin(app.runtime) as work:
        return work.db.scalars(select(File).order_by(File.key)).all()


def objects(app):
    paths = (path for path in app.file_folder.rglob("*") if path.is_file())
    return sorted(path.relative_to(app.file_folder).as_posix() for path in paths)


def test_the_row_has_the_plugin_and_the_subject_of_the_file(app, key):
    [row] = rows(app)
    assert (row.key, row.plugin, row.subject) == (key, "certificates", SUBJECT)
    assert (row.content_type, row.size) == ("application/pdf", len(PDF))
    assert row.created_at == app.clock.now
    assert objects(app) == [key]


def test_a_stored_file_can_be_read(app, key):
    with begin(app.runtime) as work:
        with files.open(work, key) as stream:
            assert stream.read() == PDF
        assert files.exists(work, key)


def test_a_stream_is_stored_from_its_start(app):
    stream = io.BytesIO(PDF)
    stream.read()
    with begin(app.runtime) as work, files.open(work, store(work, stream)) as kept:
        assert kept.read() == PDF
    assert [row.size for row in rows(app)] == [len(PDF)]


# Keys


def test_keys_are_random(app):
    with begin(app.runtime) as work:
        keys = {store(work) for _ in range(20)}
    assert len(keys) == 20
    for key in keys:
        folder, _, name = key.partition("/")
        assert folder == "certificates"
        assert len(name) == 32 + len(".pdf")


def test_a_key_may_have_a_folder_and_a_name(app):
    with begin(app.runtime) as work:
        key = store(work, folder="papers", name="Certificate_2026")
    folder, random, name = key.split("/")
    assert (folder, len(random), name) == ("papers", 32, "Certificate_2026.pdf")


@pytest.mark.parametrize("word", ["", ".", "..", "a/b", "../a", "a b", 'a"', "é", "a\n", ".a"])
def test_folders_and_names_can_not_leave_the_storage(app, word):
    with begin(app.runtime) as work:
        with pytest.raises(ValueError):
            store(work, folder=word or "/")
        with pytest.raises(ValueError):
            store(work, name=word)
    assert (objects(app), rows(app)) == ([], [])


def test_every_key_is_recognised(app):
    with begin(app.runtime) as work:
        keys = [store(work), store(work, folder="a-b_1"), store(work, name="Some_name-1")]
    assert all(map(is_key, keys))


@pytest.mark.parametrize(
    "other",
    [
        "certificates/certificate.pdf",
        "staging/certificates/0123456789abcdef0123456789abcdef.pdf",
        "0123456789abcdef0123456789abcdef.pdf",
        "certificates/0123456789abcdef0123456789abcdef.pdf.part",
        "certificates/0123456789abcdef0123456789abcdef",
    ],
)
def test_names_of_foreign_objects_are_not_keys(other):
    assert not is_key(other)


# After a rollback


def test_the_file_of_an_aborted_transaction_is_deleted(app):
    with pytest.raises(ZeroDivisionError), begin(app.runtime) as work:
        store(work)
        assert len(objects(app)) == 1
        raise ZeroDivisionError
    assert (objects(app), rows(app)) == ([], [])


def test_a_deleted_file_exists_until_the_commit(app, key):
    with begin(app.runtime) as work:
        files.delete(work, key)
        assert work.db.get(File, key) is None
        assert objects(app) == [key]
    assert (objects(app), rows(app)) == ([], [])


def test_a_file_whose_deletion_was_rolled_back_exists(app, key):
    with pytest.raises(ZeroDivisionError), begin(app.runtime) as work:
        files.delete(work, key)
        raise ZeroDivisionError
    assert objects(app) == [row.key for row in rows(app)] == [key]


def test_a_storage_that_fails_to_delete_does_not_fail_the_request(app, key, monkeypatch):
    def fail(key):
        raise StorageUnavailable

    monkeypatch.setattr(app.runtime[Storage], "delete", fail)
    with begin(app.runtime) as work:
        files.delete(work, key)
    assert rows(app) == []
    # The object stays, as an orphan for housekeeping.
    assert objects(app) == [key]


def test_an_unavailable_storage_leaves_no_row(app, monkeypatch):
    def fail(*args):
        raise StorageUnavailable

    monkeypatch.setattr(app.runtime[Storage], "put", fail)
    with begin(app.runtime) as work, pytest.raises(StorageUnavailable):
        store(work)
    assert rows(app) == []


# After a power failure


@pytest.mark.parametrize("content", [b"", PDF[:20], PDF + b"\0"])
def test_a_file_of_the_wrong_size_is_never_read(app, key, content):
    (app.file_folder / key).write_bytes(content)
    with begin(app.runtime) as work:
        link = files.link(work, key)
        with pytest.raises(StorageUnavailable):
            files.open(work, key)
    reply = app.client().get(link.removeprefix("https://league.example/v1"), status=502)
    assert reply.json["code"] == "storage_unavailable"
    assert reply.headers["Cache-Control"] == "no-store"


# Deleting


def test_deleting_again_is_no_error(app, key):
    for _ in range(2):
        with begin(app.runtime) as work:
            files.delete(work, key)
            files.delete(work)
    assert objects(app) == []


def test_an_object_without_a_row_is_not_deleted(app, tmp_path):
    secret = tmp_path / "secret.pdf"
    secret.write_bytes(PDF)
    with begin(app.runtime) as work:
        files.delete(work, "../secret.pdf")
    assert secret.exists()


def test_all_files_of_a_subject_are_deleted_together(app):
    with begin(app.runtime) as work:
        gone = {store(work, subject=f"exam {number}", plugin=f"p{number}") for number in (1, 1, 2)}
        stays = store(work, subject="exam 11")
        assert {file.key for file in files.files_of(work, "exam 1")} < gone
    with begin(app.runtime) as work:
        files.delete_of(work, "exam 1", "exam 2")
        files.delete_of(work)
    assert objects(app) == [row.key for row in rows(app)] == [stays]


def test_a_referenced_file_can_not_be_deleted(app):
    person = app.candidate()
    with begin(app.runtime) as work:
        key = store(work)
        work.db.get_one(User, person.id).profile_picture = key
    with pytest.raises(IntegrityError), begin(app.runtime) as work:
        files.delete(work, key)
    assert objects(app) == [key]


# Content types


def test_an_unknown_type_is_rejected(app):
    with begin(app.runtime) as work:
        for extension in ("exe", "PDF", "", "pdf/../exe"):
            with pytest.raises(UnknownContentType, match="pdf"):
                store(work, extension=extension)
    assert (objects(app), rows(app)) == ([], [])


def test_a_plugin_adds_a_type(probe):
    with begin(probe.runtime) as work:
        key = store(work, b"<svg/>", "svg")
        assert work.db.get_one(File, key).content_type == "image/svg+xml"


def test_the_files_of_a_disabled_plugin_are_still_served(app, monkeypatch):
    """The local storage serves such a file with the content type in its row, and other storages
    serve it as bytes.
    """
    with begin(app.runtime) as work:
        key = store(work)
    from competition.core.storage.content_types import ContentType, of_key

    del app.runtime.catalogue[ContentType]["pdf"]
    assert of_key(app.runtime.catalogue, key) == "application/octet-stream"
    with begin(app.runtime) as work:
        link = files.link(work, key)
    reply = app.client().get(link.removeprefix("https://league.example/v1"), status=200)
    assert (reply.content_type, reply.body) == ("application/pdf", PDF)


@pytest.fixture
def config(app):
    config = Configurator()
    config.registry.runtime = app.runtime
    config.include("competition.core.storage.content_types")
    return config


def test_two_plugins_can_register_the_same_type(config):
    for _ in range(2):
        config.add_content_type("svg", "image/svg+xml")


def test_an_extension_has_one_type(config):
    with pytest.raises(ConfigurationError, match="registers a ContentType named 'pdf'"):
        config.add_content_type("pdf", "text/html")


@pytest.mark.parametrize(
    ("extension", "media_type"),
    [
        (".svg", "image/svg+xml"),
        ("SVG", "image/svg+xml"),
        ("", "image/svg+xml"),
        ("svg", "svg"),
        ("svg", "image/svg+xml\r\nX-Evil: 1"),
        ("svg", "image/svg+xml; charset=utf-8"),
    ],
)
def test_a_malformed_type_stops_the_start(config, extension, media_type):
    with pytest.raises(ConfigurationError, match=r"is not an? "):
        config.add_content_type(extension, media_type)


def test_a_deleted_file_is_not_found(app, key):
    with begin(app.runtime) as work:
        files.delete(work, key)
    with begin(app.runtime) as work:
        assert not files.exists(work, key)
        with pytest.raises(NotFound):
            files.open(work, key)
