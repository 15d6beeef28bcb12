"""A storage and a mail transport, like those of a third-party plugin."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import IO

from competition.core.errors import NotFound
from competition.core.runtime import ServiceSettings
from competition.core.settings import Settings


class Shelf:
    """A storage in memory. Its links lead to the service itself."""

    def __init__(self, settings: Settings) -> None:
        self.support = settings[ServiceSettings].support_email
        self._objects: dict[str, tuple[bytes, datetime]] = {}

    def put(self, key: str, stream: IO[bytes], content_type: str) -> None:
        stream.seek(0)
        self._objects[key] = stream.read(), datetime.now(UTC)

    def open(self, key: str) -> IO[bytes]:
        if key not in self._objects:
            raise NotFound
        return io.BytesIO(self._objects[key][0])

    def exists(self, key: str) -> bool:
        return key in self._objects

    def delete(self, key: str) -> None:
        self._objects.pop(key, None)

    def keys(self, before: datetime) -> Iterator[str]:
        return (key for key, (_, then) in list(self._objects.items()) if then < before)

    def link(self, key: str, content_type: str, seconds: int) -> None:
        return None


class Pigeons:
    """A mail transport that keeps all messages in memory."""

    def __init__(self, settings: Settings) -> None:
        self.support = settings[ServiceSettings].support_email
        self.taken: list[EmailMessage] = []

    @contextmanager
    def open(self) -> Iterator["Pigeons"]:
        yield self

    def send(self, message: EmailMessage, mail_id: int) -> None:
        self.taken.append(message)
