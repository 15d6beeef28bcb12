"""The settings choose the storage. A plugin can provide one."""

import os
import subprocess
import sys

import pytest

from competition.core.plugins import build
from competition.core.settings import SettingsError
from competition.core.storage import files
from competition.core.storage.contract import Storage
from competition.core.storage.local import LocalStorage
from competition.core.work import begin
from competition.testing.identity_papers import PDF
from competition.testing.storages import StorageContract
from tests.support.foreign_backends import Shelf

SHELF = "tests.support.foreign_backends.Shelf"


@pytest.fixture
def storage_with(base_settings):
    def choose(**settings):
        changes = {f"competition.storage.{name}": value for name, value in settings.items()}
        # Core makes it, so the plugins need not be built.
        config = build({**base_settings, "competition.plugins": "", **changes})
        runtime = config.registry.runtime
        runtime.close()
        return runtime[Storage]

    return choose


def refusal(storage_with, **settings):
    with pytest.raises(SettingsError) as refused:
        storage_with(**settings)
    [problem] = refused.value.problems
    return problem


def test_without_a_bucket_files_are_stored_in_the_folder(storage_with):
    assert isinstance(storage_with(), LocalStorage)


def test_a_bucket_is_preferred_to_the_folder(storage_with):
    assert type(storage_with(s3_bucket="documents")).__name__ == "S3Storage"


def test_the_folder_can_be_chosen_although_a_bucket_is_set(storage_with):
    assert isinstance(storage_with(s3_bucket="documents", backend="folder"), LocalStorage)


@pytest.mark.parametrize("name", [SHELF, SHELF.replace(".Shelf", ":Shelf")])
def test_a_plugin_can_provide_a_storage(storage_with, name):
    storage = storage_with(backend=name, folder="")
    assert type(storage).__name__ == "Shelf"
    # The storage receives the settings.
    assert storage.support == "support@league.example"


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"backend": "s3"}, "s3_bucket"),
        ({"backend": "folder", "folder": ""}, "folder"),
        ({"folder": ""}, "s3_bucket"),
        ({"backend": "tape"}, "backend"),
        ({"backend": "no.such.module"}, "backend"),
        ({"backend": "tests.support.foreign_backends.Nothing"}, "backend"),
        ({"s3_prefix": "../league"}, "s3_prefix"),
    ],
)
def test_an_unusable_storage_stops_the_start_with_its_key(storage_with, settings, key):
    assert refusal(storage_with, **settings).startswith(f"competition.storage.{key}: ")


@pytest.mark.long
def test_boto3_is_not_loaded_for_a_folder():
    code = "import sys, competition.core.plugins; sys.exit('boto3' in sys.modules)"
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, cwd=os.getcwd())


class TestShelf(StorageContract):
    @pytest.fixture
    def storage(self, app):
        return Shelf(app.runtime.settings)

    def test_the_service_serves_links_to_a_plugins_storage(self, app, storage):
        app.runtime.provide(Storage, storage)
        with begin(app.runtime) as work:
            key = files.store(
                work, PDF, "pdf", plugin="tests", subject="exam 7", name="certificate"
            )
            link = files.link(work, key)
        reply = app.anonymous.get(link.removeprefix("https://league.example/v1"), status=200)
        assert reply.body == PDF
        assert reply.headers["Content-Disposition"] == 'attachment; filename="certificate.pdf"'
