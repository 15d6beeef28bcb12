"""A folder on this machine, with links that the service itself answers."""

import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO
from urllib.parse import urlencode

from competition.core.errors import NotFound, StorageUnavailable
from competition.core.keyring import Keyring
from competition.core.storage.contract import StoredFile, content_type, filename, new_key

LINK = "storage link"


class LocalStorage:
    def __init__(self, folder: Path, link_seconds: int, keyring: Keyring, api_url: str) -> None:
        self._folder = folder
        self._lifetime = timedelta(seconds=link_seconds)
        self._keyring = keyring
        self._api_url = api_url

    def put(self, folder: str, stream: IO[bytes], extension: str) -> str:
        key = new_key(folder, extension)
        target = self._folder / key
        try:
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            stream.seek(0)
            with target.open("xb") as file:
                shutil.copyfileobj(stream, file)
        except OSError as error:
            raise StorageUnavailable from error
        return key

    def delete(self, key: str) -> None:
        try:
            (self._folder / key).unlink(missing_ok=True)
        except OSError as error:
            raise StorageUnavailable from error

    def exists(self, key: str) -> bool:
        if not self._folder.is_dir():
            raise StorageUnavailable
        return (self._folder / key).is_file()

    def url(self, key: str, now: datetime) -> str:
        expires = str(int((now + self._lifetime).timestamp()))
        signature = self._keyring.sign(LINK, f"{key}:{expires}")
        query = urlencode({"expires": expires, "signature": signature})
        return f"{self._api_url}/files/{key}?{query}"

    def keys(self, before: datetime) -> Iterator[str]:
        for path in self._folder.rglob("*"):
            try:
                is_older = path.is_file() and path.stat().st_mtime < before.timestamp()
            except FileNotFoundError:
                # Deleted while the list is made.
                continue
            if is_older:
                yield path.relative_to(self._folder).as_posix()

    def open_link(self, key: str, expires: str, signature: str, now: datetime) -> StoredFile:
        if not self._keyring.verifies(LINK, f"{key}:{expires}", signature):
            raise NotFound
        # The signature covers both: the key is one of ours and the time is a number.
        if int(expires) <= now.timestamp():
            raise NotFound("The link has expired.")
        path = self._folder / key
        if not path.is_file():
            raise NotFound
        return StoredFile(path, content_type(key), filename(key))
