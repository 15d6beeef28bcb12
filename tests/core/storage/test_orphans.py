"""Housekeeping deletes stored objects without a row after a day, and nothing else."""

import io
import os
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from competition.core.storage import files, orphans
from competition.core.storage.contract import Storage
from competition.core.storage.keys import new_key
from competition.core.storage.local import LocalStorage
from competition.core.storage.orphans import delete_orphans
from competition.core.users.models import FILES
from competition.core.work import begin
from competition.testing.identity_papers import PNG, submit


def put(storage, key=None):
    """Store an object without a row, and return its key."""
    key = key or new_key("verification", "png")
    storage.put(key, io.BytesIO(PNG), "image/png")
    return key


def run_housekeeping(service):
    with begin(service.runtime) as work:
        delete_orphans(work)


@pytest.fixture
def old(app):
    """``old(key, hours)`` sets the time at which an object was stored to this many hours ago, by
    the service's clock.
    """

    def make(key, hours=25):
        then = (app.clock.now - timedelta(hours=hours)).timestamp()
        os.utime(app.file_folder / key, (then, then))
        return key

    return make


def test_an_orphan_is_deleted_after_a_day(app, old):
    storage = app.runtime[Storage]
    gone = old(put(storage), 24.1)
    stays = old(put(storage), 23.9)
    run_housekeeping(app)
    assert not storage.exists(gone)
    assert storage.exists(stays)


def test_an_object_with_a_row_stays(app, old):
    person = app.candidate(verification="not_submitted")
    submit(person, status=201)
    with begin(app.runtime) as work:
        generated = files.store(work, PNG, "png", plugin="charts", subject="exam 7", name="chart")
    user = app.user(person)
    stored = [generated, *(getattr(user, name) for name in FILES[:3])]
    for key in stored:
        old(key, 10_000)
    run_housekeeping(app)
    assert all(map(app.runtime[Storage].exists, stored))


def test_an_object_that_was_not_deleted_is_deleted_later(app, old, monkeypatch):
    storage = app.runtime[Storage]
    with begin(app.runtime) as work:
        key = files.store(work, PNG, "png", plugin="charts", subject="exam 7", name="chart")
    with monkeypatch.context() as broken, begin(app.runtime) as work:
        broken.setattr(storage, "delete", lambda key: 1 / 0)
        files.delete(work, key)
    assert storage.exists(key)
    old(key)
    run_housekeeping(app)
    assert not storage.exists(key)


def test_objects_whose_names_are_not_keys_are_not_deleted(app, old):
    storage = app.runtime[Storage]
    others = [
        put(storage, "backups/monday.pdf"),
        put(storage, "staging/" + new_key("verification", "png")),
    ]
    for key in others:
        old(key)
    run_housekeeping(app)
    assert all(map(storage.exists, others))


def test_a_large_storage_is_checked_in_batches(app, old, monkeypatch):
    monkeypatch.setattr(orphans, "BATCH", 3)
    storage = app.runtime[Storage]
    keys = [old(put(storage)) for _ in range(7)]
    with begin(app.runtime) as work:
        stays = files.store(work, PNG, "png", plugin="charts", subject="exam 7")
    old(stays)
    run_housekeeping(app)
    assert [key for key in (*keys, stays) if storage.exists(key)] == [stays]


def test_without_the_table_nothing_is_deleted(app, old):
    """The table is missing, for example, before the migration."""
    storage = app.runtime[Storage]
    orphan = old(put(storage))
    with begin(app.runtime) as work:
        work.db.execute(text("alter table file rename to another"))
    with pytest.raises(ProgrammingError):
        run_housekeeping(app)
    assert storage.exists(orphan)


class TestTwoServices:
    """Two services share a storage, but each has its own database."""

    @pytest.mark.parametrize(
        ("ours", "theirs"), [("league/", "staging/"), ("league/", ""), ("", "league/")]
    )
    def test_services_in_one_bucket_do_not_delete_each_others_files(
        self, app, s3_server, s3_storage, ours, theirs
    ):
        other = s3_storage(s3_server.url, s3_prefix=theirs)
        own = s3_storage(s3_server.url, s3_prefix=ours)
        # Neither object has a row in this database, but only one of the two objects belongs to this
        # service.
        key, orphan = put(other), put(own)
        app.runtime.provide(Storage, own)
        app.clock.now = datetime.now(UTC) + timedelta(hours=25)
        run_housekeeping(app)
        assert other.exists(key)
        assert not own.exists(orphan)


def test_services_on_one_disk_do_not_delete_each_others_files(app, old):
    """One folder is inside the other."""
    inner = LocalStorage(app.file_folder / "staging")
    key = put(inner)
    old(f"staging/{key}")
    run_housekeeping(app)
    assert inner.exists(key)
