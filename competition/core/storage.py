"""Files that users upload, and temporary links to them.

Keys are random and say nothing; a link is signed, expires, and works without headers.
"""

import secrets
import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO, ClassVar
from urllib.parse import urlencode

from competition.core.errors import NotFound, StorageUnavailable
from competition.core.keyring import Keyring
from competition.core.settings import setting

LINK = "storage link"

CONTENT_TYPES = {
    "jpg": "image/jpeg",
    "png": "image/png",
    "webp": "image/webp",
    "pdf": "application/pdf",
}


@dataclass(frozen=True, kw_only=True)
class StorageSettings:
    """`folder` for the files; `link_seconds` is how long a link works."""

    prefix: ClassVar[str] = "competition.storage"
    folder: Path = setting()
    link_seconds: int = setting(900, minimum=1)


@dataclass(frozen=True)
class StoredFile:
    path: Path
    content_type: str
    filename: str


class LocalStorage:
    """A folder on this machine."""

    def __init__(self, settings: StorageSettings, keyring: Keyring, public_url: str) -> None:
        self._folder = settings.folder
        self._lifetime = timedelta(seconds=settings.link_seconds)
        self._keyring = keyring
        self._public_url = public_url

    def put(self, folder: str, stream: IO[bytes], extension: str) -> str:
        """Store the stream from its start; answers the key. Raises StorageUnavailable."""
        key = f"{folder}/{secrets.token_hex(16)}.{extension}"
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
        (self._folder / key).unlink(missing_ok=True)

    def url(self, key: str, now: datetime) -> str:
        """A link that works until `link_seconds` after `now`."""
        expires = str(int((now + self._lifetime).timestamp()))
        signature = self._keyring.sign(LINK, f"{key}:{expires}")
        query = urlencode({"expires": expires, "signature": signature})
        return f"{self._public_url}/v1/files/{key}?{query}"

    def open_link(self, key: str, expires: str, signature: str, now: datetime) -> StoredFile:
        """What a link leads to. Raises NotFound when it is forged, expired or leads nowhere."""
        if not self._keyring.verifies(LINK, f"{key}:{expires}", signature):
            raise NotFound
        # The signature covers both: the key is one of ours and the time is a number.
        if int(expires) <= now.timestamp():
            raise NotFound("The link has expired.")
        path = self._folder / key
        if not path.is_file():
            raise NotFound
        return StoredFile(path, CONTENT_TYPES[path.suffix.lstrip(".")], path.name)

    def exists(self, key: str) -> bool:
        """Raises StorageUnavailable."""
        if not self._folder.is_dir():
            raise StorageUnavailable
        return (self._folder / key).is_file()
