"""What a storage is: objects by their keys, in a folder, on S3, or wherever a plugin puts them.

Rules don't use it: `competition.core.storage.files` keeps the rows beside the objects.
`competition.testing.storages` has the tests that every storage has to pass.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, ClassVar, Protocol
from urllib.parse import urlsplit

from competition.core.settings import Secret, is_on_this_machine, setting

PREFIX = re.compile(r"\w[\w.-]*(/\w[\w.-]*)*", re.ASCII)


def parse_prefix(text: str) -> str:
    """A prefix of keys, with one slash at its end, so that ``league`` does not match what is in
    ``league2``."""
    prefix = text.strip("/")
    if not PREFIX.fullmatch(prefix):
        raise ValueError(f"{text!r} is no prefix, such as league/staging")
    return f"{prefix}/"


@dataclass(frozen=True, kw_only=True)
class StorageSettings:
    """`backend` is ``s3``, ``folder``, or the dotted name of a callable that takes the Settings and
    returns a Storage; by default ``s3`` once there is an `s3_bucket`, else a `folder` on this
    machine. `link_seconds` is how long a link works, `private_link_seconds` one to what is as
    private as an identity paper. With less than `free_disk` MiB left where files wait or are kept,
    the service is degraded.

    Without `s3_endpoint_url` it is Amazon's S3; without keys they come from where boto3 finds
    them (a role of the machine). `s3_timeout` in seconds. `s3_prefix` is in front of all that this
    service has in the bucket: each of several services that share one has its own.
    """

    prefix: ClassVar[str] = "competition.storage"
    backend: str = setting("")
    folder: Path | None = setting(None)
    link_seconds: int = setting(900, minimum=1)
    private_link_seconds: int = setting(300, minimum=1)
    free_disk: int = setting(100, minimum=0)
    s3_bucket: str = setting("")
    s3_prefix: str = setting("", parse=parse_prefix)
    s3_endpoint_url: str = setting("")
    s3_region: str = setting("us-east-1")
    s3_access_key: str = setting("")
    s3_secret_key: Secret = setting(Secret(""))
    s3_timeout: float = setting(10.0, minimum=0.1)

    @staticmethod
    def problems(values: Mapping[str, Any]) -> Iterator[str]:
        backend = values.get("backend", "")
        bucket, folder = values.get("s3_bucket"), values.get("folder")
        if (backend == "s3" and not bucket) or (backend == "" and not bucket and not folder):
            yield "s3_bucket: missing (or set COMPETITION_STORAGE_S3_BUCKET)"
        if backend == "folder" and not folder:
            yield "folder: missing (or set COMPETITION_STORAGE_FOLDER)"
        if backend not in ("", "s3", "folder") and "." not in backend:
            yield f"backend: {backend!r} is none of s3, folder and a dotted name"
        if values.get("s3_access_key") and not values.get("s3_secret_key"):
            yield "s3_secret_key: missing (or set COMPETITION_STORAGE_S3_SECRET_KEY)"

    def risks(self) -> Iterator[str]:
        url = urlsplit(self.s3_endpoint_url)
        if url.scheme == "http" and not is_on_this_machine(url.hostname or ""):
            yield "s3_endpoint_url: identity papers go to the storage, and to clients, without TLS"


class Storage(Protocol):
    """Objects by keys, which `competition.core.storage.keys` makes; a key is used once.

    Every method may raise StorageUnavailable.
    """

    def put(self, key: str, stream: IO[bytes], content_type: str) -> None:
        """Store the stream from its start: all of it, or nothing."""

    def open(self, key: str) -> IO[bytes]:
        """What was stored, from its start, seekable, to be closed by the caller. Raises
        NotFound."""

    def exists(self, key: str) -> bool: ...

    def delete(self, key: str) -> None:
        """Delete the object; no error when there is none."""

    def keys(self, before: datetime) -> Iterator[str]:
        """The keys of what was stored before then. Objects of other services in the same place are
        left out, or are no keys as this service makes them."""

    def link(self, key: str, content_type: str, seconds: int) -> str | None:
        """A URL of the storage's own that works for so long, without headers, and downloads the
        object as an attachment of that type; None when the service is to answer links itself."""
