"""The settings and the interface of a storage, which stores objects by their keys.

Plugins use `competition.core.storage.files` instead, which also writes the rows of the files.
`competition.testing.storages` has the tests that every storage has to pass.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, ClassVar, Protocol
from urllib.parse import urlsplit

from competition.core.errors import StorageUnavailable
from competition.core.monitoring.logs import patient
from competition.core.settings import Secret, is_on_this_machine, setting

# Logs why the storage is unavailable, at most once a minute.
log = patient(__name__)

PREFIX = re.compile(r"\w[\w.-]*(/\w[\w.-]*)*", re.ASCII)


def parse_prefix(text: str) -> str:
    """The prefix with one slash at its end, so that ``league`` does not match keys in ``league2``.
    Raises ValueError if it is malformed."""
    prefix = text.strip("/")
    if not PREFIX.fullmatch(prefix):
        raise ValueError(f"{text!r} is not a prefix, such as league/staging")
    return f"{prefix}/"


@dataclass(frozen=True, kw_only=True)
class StorageSettings:
    """Settings of the storage.

    `backend` is ``s3``, ``folder``, or the dotted path of a callable that takes the Settings and
    returns a Storage. The default is ``s3`` if `s3_bucket` is set, otherwise the `folder` on this
    machine.

    `link_seconds` is how long a download link works, except the links to private files, such as
    identity documents.

    The default of `s3_endpoint_url` is Amazon S3. Without `s3_access_key`, boto3 looks for
    credentials itself, such as those of the machine's role. `s3_timeout` is in seconds. All keys in
    the bucket begin with `s3_prefix`: services that share a bucket each need their own prefix.
    """

    prefix: ClassVar[str] = "competition.storage"
    backend: str = setting("")
    folder: Path | None = setting(None)
    link_seconds: int = setting(900, minimum=1)
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
            yield f"backend: {backend!r} is not s3, folder or a dotted path"
        if values.get("s3_access_key") and not values.get("s3_secret_key"):
            yield "s3_secret_key: missing (or set COMPETITION_STORAGE_S3_SECRET_KEY)"

    def risks(self) -> Iterator[str]:
        url = urlsplit(self.s3_endpoint_url)
        if url.scheme == "http" and not is_on_this_machine(url.hostname or ""):
            yield (
                "s3_endpoint_url: identity documents are sent to the storage, and to clients,"
                " without TLS"
            )


def unavailable(reason: object) -> StorageUnavailable:
    """Log for the operator why the storage has failed, and return the error that clients get.

    `reason` is an exception or a text.
    """
    log.error("The file storage has failed: %s", reason)
    return StorageUnavailable()


class Storage(Protocol):
    """Stores objects by their keys. `competition.core.storage.keys` creates the keys, and each is
    used for only one object.

    Every method may raise StorageUnavailable; `unavailable` creates it and logs the reason.
    """

    def put(self, key: str, stream: IO[bytes], content_type: str) -> None:
        """Store the whole stream from its start. If that fails, store nothing."""

    def open(self, key: str) -> IO[bytes]:
        """The content as a seekable stream at its start, which the caller closes. Raises NotFound
        if there is no such object."""

    def exists(self, key: str) -> bool: ...

    def delete(self, key: str) -> None:
        """Delete the object. It is no error if the object does not exist."""

    def keys(self, before: datetime) -> Iterator[str]:
        """The keys of the objects stored before the time `before`. The storage may also return
        names that are not keys of this service (`keys.is_key`)."""

    def link(self, key: str, content_type: str, seconds: int) -> str | None:
        """A URL of the storage that downloads the object without request headers, as an attachment
        of the type `content_type`. It is valid for `seconds`. None if the service has to send files
        itself."""
