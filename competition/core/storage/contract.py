"""Files that users upload, and temporary links to them: in a folder or on S3.

Keys are random and say nothing; a link is signed, expires, and works without headers.
"""

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, ClassVar, Protocol

from competition.core.settings import Secret, setting

CONTENT_TYPES = {
    "jpg": "image/jpeg",
    "png": "image/png",
    "webp": "image/webp",
    "pdf": "application/pdf",
}


@dataclass(frozen=True, kw_only=True)
class StorageSettings:
    """`s3_bucket`, or else a `folder` on this machine. `link_seconds` is how long a link works.
    With less than `free_disk` MiB left where files wait or are kept, the service is not ready.

    Without `s3_endpoint_url` it is Amazon's S3; without keys they come from where boto3 finds
    them (a role of the machine). `s3_timeout` in seconds.
    """

    prefix: ClassVar[str] = "competition.storage"
    folder: Path | None = setting(None)
    link_seconds: int = setting(900, minimum=1)
    free_disk: int = setting(100, minimum=0)
    s3_bucket: str = setting("")
    s3_endpoint_url: str = setting("")
    s3_region: str = setting("us-east-1")
    s3_access_key: str = setting("")
    s3_secret_key: Secret = setting(Secret(""))
    s3_timeout: float = setting(10.0, minimum=0.1)

    @staticmethod
    def problems(values: Mapping[str, Any]) -> Iterator[str]:
        if not values.get("s3_bucket") and not values.get("folder"):
            yield "s3_bucket: missing (or set COMPETITION_STORAGE_S3_BUCKET)"
        if values.get("s3_access_key") and not values.get("s3_secret_key"):
            yield "s3_secret_key: missing (or set COMPETITION_STORAGE_S3_SECRET_KEY)"


@dataclass(frozen=True)
class StoredFile:
    path: Path
    content_type: str
    filename: str


class Storage(Protocol):
    """Every method may raise StorageUnavailable."""

    def put(self, folder: str, stream: IO[bytes], extension: str) -> str:
        """Store the stream from its start; returns the key."""

    def delete(self, key: str) -> None:
        """Also when there is no such file."""

    def exists(self, key: str) -> bool: ...

    def url(self, key: str, now: datetime) -> str:
        """A link that works until `link_seconds` after `now`."""

    def keys(self, before: datetime) -> Iterator[str]:
        """Of what was stored before then."""

    def open_link(self, key: str, expires: str, signature: str, now: datetime) -> StoredFile:
        """What a link to this service leads to. Raises NotFound when it is forged, expired or
        leads nowhere."""


def new_key(folder: str, extension: str) -> str:
    return f"{folder}/{secrets.token_hex(16)}.{extension}"


def content_type(key: str) -> str:
    return CONTENT_TYPES[key.rpartition(".")[2]]


def filename(key: str) -> str:
    return key.rpartition("/")[2]
