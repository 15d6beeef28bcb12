"""Store, read, link and delete files.

    key = files.store(
        work, svg, "svg", plugin="certificates", subject=files.of_user(user_id), name="certificate"
    )
    url = files.link(work, key)

    with files.open(work, key) as stream:
        ...

    files.delete(work, key)

A plugin that stores a file stores its key too, in a column with a foreign key to ``file.key``. All
changes to files belong to the transaction: if it fails, new files are deleted, and files to be
deleted stay.
"""

import hashlib
import io
import os
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import IO
from urllib.parse import urlencode
from uuid import UUID

from sqlalchemy import ColumnElement, insert, select
from sqlalchemy import delete as delete_rows

from competition.core.errors import NotFound, existing
from competition.core.messages import Message
from competition.core.storage import content_types, keys
from competition.core.storage.contract import Storage, StorageSettings, unavailable
from competition.core.storage.models import File
from competition.core.work import Work

# How long a link to a private file works, in seconds: long enough to open it, and short because a
# copy of the link shows the file to anybody.
PRIVATE_LINK_SECONDS = 300
# The purpose for which the keyring signs links.
SIGNED_FOR = "storage link"


def of_user(user_id: UUID) -> str:
    """The `subject` for `store` of files that belong to an account and are deleted with it."""
    return f"user {user_id}"


def store(
    work: Work,
    content: bytes | IO[bytes],
    extension: str,
    *,
    plugin: str,
    subject: str,
    folder: str | None = None,
    name: str | None = None,
) -> str:
    """Store a file, and return its key. If the transaction fails, the file is deleted.

    `extension` is the type of the content. `plugin` is the plugin that stores the file. `subject`
    is the object that the file belongs to, such as ``exam 7`` or the result of `of_user`;
    `delete_of` deletes all files of a subject. `folder` is the first part of the key, by default
    the name of the plugin. `name` is the name of a downloaded file, without the extension; by
    default it is random.

    A stream has to be seekable, and is stored from its start.

    Raises UnknownContentType if the extension is not registered, ValueError if `folder` or `name`
    has characters that keys can't have, and StorageUnavailable.
    """
    content_type = content_types.of_extension(work.runtime.catalogue, extension)
    key = keys.new_key(folder or plugin, extension, name)
    stream = io.BytesIO(content) if isinstance(content, bytes) else content
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    digest = hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]  # IO lacks `readinto`, which all binary files have
    storage = work.runtime[Storage]
    storage.put(key, stream, content_type)
    work.after_abort(lambda: storage.delete(key))
    values = {"plugin": plugin, "subject": subject, "content_type": content_type, "size": size}
    work.db.execute(insert(File).values(key=key, digest=digest, created_at=work.now, **values))
    return key


def link(work: Work, key: str, *, private: bool = False) -> str:
    """A temporary URL to download the file without request headers.

    It works for the time in the setting `link_seconds`. A `private` link works for 5 minutes, and
    becomes invalid when the caller's session ends. Links to a storage with URLs of its own, such as
    S3, don't depend on the session.

    This does not check that the file exists. A link to a file that does not exist returns 404.
    Raises StorageUnavailable if the storage can't create the link.
    """
    seconds = PRIVATE_LINK_SECONDS if private else work.settings[StorageSettings].link_seconds
    session_id = work.actor.session_id if private and work.actor else None
    content_type = content_types.of_key(work.runtime.catalogue, key)
    url = work.runtime[Storage].link(key, content_type, seconds)
    return url or session_link(work, key, session_id, seconds=seconds)


def session_link(work: Work, key: str, session_id: UUID | None, *, seconds: int) -> str:
    """A URL to download the file without request headers. It is valid for `seconds`. If there is a
    `session_id`, it becomes invalid when the session ends.

    The service itself sends the file. It does so even if the storage has URLs of its own, because
    such URLs don't depend on a session.
    """
    expires = str(int((work.now + timedelta(seconds=seconds)).timestamp()))
    session = str(session_id or "")
    query = {
        "expires": expires,
        **({"session": session} if session else {}),
        "signature": work.runtime.keyring.sign(SIGNED_FOR, _signed_text(key, expires, session)),
    }
    return f"{work.runtime.api_url}/files/{key}?{urlencode(query)}"


def _signed_text(key: str, expires: str, session: str) -> str:
    """The text that a link's signature covers. It contains the file, the time and the session, so
    clients can change none of them."""
    return f"{key}:{expires}:{session}"


def open(work: Work, key: str) -> IO[bytes]:
    """The content of the file as a seekable binary stream, which the caller closes.

    Raises NotFound if the file does not exist, and StorageUnavailable if the storage fails, or if
    the stored object has another size than the file.
    """
    size = work.db.scalar(select(File.size).where(File.key == key))
    return _whole(work, key, existing(size))


def _whole(work: Work, key: str, size: int) -> IO[bytes]:
    """The stored object, from its start. Raises NotFound if there is none, and StorageUnavailable
    if it does not have this size in bytes."""
    stream = work.runtime[Storage].open(key)
    found = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    if found != size:
        stream.close()
        raise unavailable(f"{key} has {found} bytes instead of {size}")
    return stream


def exists(work: Work, key: str) -> bool:
    """Whether the storage has the file. Raises StorageUnavailable if the storage fails."""
    return work.runtime[Storage].exists(key)


def files_of(work: Work, subject: str) -> Sequence[File]:
    """The rows of all files of a subject, whichever plugins stored them, the oldest first."""
    return work.db.scalars(
        select(File).where(File.subject == subject).order_by(File.created_at, File.key)
    ).all()


def delete(work: Work, *keys: str) -> None:
    """Delete the rows of the files now, and the objects after the commit. Keys of files that don't
    exist are ignored.

    Remove all references to the files first, because of the foreign keys.
    """
    if keys:
        _delete(work, File.key.in_(keys))


def delete_of(work: Work, *subjects: str) -> None:
    """Delete all files of the subjects, whichever plugins stored them: their rows now, and the
    objects after the commit."""
    if subjects:
        _delete(work, File.subject.in_(subjects))


def _delete(work: Work, condition: ColumnElement[bool]) -> None:
    # References that the session has removed have to be removed from the database first.
    work.db.flush()
    # Delete only objects whose row was deleted: an arbitrary key must not delete anything.
    for key in work.db.scalars(delete_rows(File).where(condition).returning(File.key)).all():
        work.after_commit(partial(work.runtime[Storage].delete, key))


def follow_link(
    work: Work,
    key: str,
    expires: str,
    session: str,
    signature: str,
    *,
    lasts: Callable[[UUID], bool],
) -> tuple[File, IO[bytes]]:
    """The file of a link that this service signed, and its content as a stream, which the caller
    closes. `lasts` returns whether a session is still valid, and is called if the link belongs to a
    session.

    Raises NotFound if the link is forged or has expired, its session has ended, or there is no such
    file, and StorageUnavailable if the storage fails.
    """
    signed = _signed_text(key, expires, session)
    if not work.runtime.keyring.verifies(SIGNED_FOR, signed, signature):
        raise NotFound
    # The signature is valid, so this service wrote the time and the session.
    has_ended = int(expires) <= work.now.timestamp()
    if has_ended or (session and not lasts(UUID(session))):
        raise NotFound(Message("The link has expired. Request a new one."))
    file = existing(work.db.get(File, key))
    return file, _whole(work, key, file.size)
