"""Contract tests that every storage has to pass. Run them for a storage of your plugin:

class TestAzure(StorageContract):
    @pytest.fixture
    def storage(self):
        return AzureStorage(…)
"""

import io
import urllib.error
import urllib.request
from datetime import UTC, datetime, timedelta

import pytest

from competition.core.errors import NotFound
from competition.core.storage.contract import Storage
from competition.core.storage.keys import filename, new_key

CONTENT = b"some content \x00\xff" * 1000
SVG = "image/svg+xml"


class StorageContract:
    """Tests that every storage has to pass. Subclasses define a fixture `storage`, which returns a
    storage. Other objects may be stored in it already."""

    @pytest.fixture
    def key(self, storage: Storage) -> str:
        """The key of a stored object."""
        return put(storage)

    def test_put_stores_the_whole_stream_from_its_start(self, storage: Storage) -> None:
        key = new_key("contract", "svg")
        stream = io.BytesIO(CONTENT)
        stream.read(5)
        storage.put(key, stream, SVG)
        assert storage.exists(key)
        assert content(storage, key) == CONTENT

    def test_a_key_may_have_a_name(self, storage: Storage) -> None:
        key = put(storage, name="certificate")
        assert content(storage, key) == CONTENT
        storage.delete(key)
        assert not storage.exists(key)

    def test_an_empty_object_can_be_stored(self, storage: Storage) -> None:
        assert content(storage, put(storage, b"")) == b""

    def test_an_open_object_can_be_read_in_any_order(self, storage: Storage, key: str) -> None:
        with storage.open(key) as stream:
            assert stream.read() == CONTENT
            stream.seek(5)
            assert stream.read(10) == CONTENT[5:15]
            assert stream.seek(0, io.SEEK_END) == len(CONTENT)

    def test_opening_a_missing_object_raises_not_found(self, storage: Storage, key: str) -> None:
        nothing = new_key("contract", "svg")
        assert not storage.exists(nothing)
        with pytest.raises(NotFound):
            storage.open(nothing)

    def test_deleting_again_is_no_error(self, storage: Storage, key: str) -> None:
        for _ in range(2):
            storage.delete(key)
        assert not storage.exists(key)
        with pytest.raises(NotFound):
            storage.open(key)

    def test_delete_deletes_only_the_given_object(self, storage: Storage, key: str) -> None:
        storage.delete(put(storage))
        assert storage.exists(key)

    def test_keys_returns_the_keys_of_old_objects(self, storage: Storage, key: str) -> None:
        named = put(storage, name="certificate")
        in_an_hour = datetime.now(UTC) + timedelta(hours=1)
        found = list(storage.keys(before=in_an_hour))
        assert (found.count(key), found.count(named)) == (1, 1)
        an_hour_ago = in_an_hour - timedelta(hours=2)
        assert {key, named}.isdisjoint(storage.keys(before=an_hour_ago))

    def test_a_link_of_the_storage_downloads_an_attachment(
        self, storage: Storage, key: str
    ) -> None:
        link = storage.link(key, SVG, 60)
        if link is None:
            # The storage has no links of its own: the service sends its files.
            return
        with urllib.request.urlopen(link, timeout=30) as reply:
            assert reply.read() == CONTENT
            assert reply.headers["Content-Type"] == SVG
            disposition = reply.headers["Content-Disposition"]
        assert disposition == f'attachment; filename="{filename(key)}"'

    def test_a_link_of_the_storage_fails_after_a_deletion(self, storage: Storage, key: str) -> None:
        link = storage.link(key, SVG, 60)
        storage.delete(key)
        if link is None:
            return
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(link, timeout=30)
        refused.value.close()
        assert refused.value.code in (403, 404)


def put(storage: Storage, content: bytes = CONTENT, name: str | None = None) -> str:
    key = new_key("contract", "svg", name)
    storage.put(key, io.BytesIO(content), SVG)
    return key


def content(storage: Storage, key: str) -> bytes:
    with storage.open(key) as stream:
        return stream.read()
