"""Files that core and plugins keep, read, give out and delete.

    key = files.store(
        work, svg, "svg", plugin="certificates", subject=files.of_user(user_id), name="certificate"
    )
    url = files.link(work, key)

    with files.open(work, key) as stream:
        ...

    files.delete(work, key)

Whoever stores a file keeps its key, in a column with a foreign key to ``file.key``. What is done to
a file belongs to the transaction: after one that failed, all is as it was before.
"""

import io
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import IO
from uuid import UUID

from sqlalchemy import ColumnElement, insert, select
from sqlalchemy import delete as delete_rows

from competition.core.errors import NotFound
from competition.core.storage import content_types, keys, links
from competition.core.storage.contract import Storage, StorageSettings
from competition.core.storage.models import File
from competition.core.work import Work


@dataclass(frozen=True)
class Download:
    """A file that is sent by the service itself. `stream` has to be closed."""

    stream: IO[bytes]
    content_type: str
    filename: str
    created_at: datetime


def of_user(user_id: UUID) -> str:
    """The subject of files that belong to an account, and are deleted with it: for `store`."""
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
    """Keep a file, and return its key. When the transaction fails, the file goes again.

    `extension` says what the content is; `plugin` is who keeps it, and `subject` what it belongs
    to, such as ``exam 7`` or what `of_user` returns: `delete_of` finds it by that. Keys begin with
    the `folder`, by default the plugin's name. `name`, without the extension, is what the file is
    called where it is saved, by default something random.

    A stream has to be seekable, and is stored from its start. Raises UnknownContentType for an
    extension that nobody registered, ValueError for a `folder` or `name` that no key can have,
    StorageUnavailable.
    """
    content_type = content_types.of_extension(work.runtime.catalogue, extension)
    key = keys.new_key(folder or plugin, extension, name)
    stream = io.BytesIO(content) if isinstance(content, bytes) else content
    size = stream.seek(0, os.SEEK_END)
    storage = work.runtime[Storage]
    storage.put(key, stream, content_type)
    work.after_abort(lambda: storage.delete(key))
    values = {"plugin": plugin, "subject": subject, "content_type": content_type, "size": size}
    work.db.execute(insert(File).values(key=key, created_at=work.now, **values))
    return key


def link(work: Work, key: str, *, private: bool = False, seconds: int | None = None) -> str:
    """A temporary URL of the file: it needs no headers, and a browser saves what it leads to. It
    works for so many `seconds`, by default as the settings say.

    One to what is `private` works for a shorter time, and not for longer than the session of
    whoever gets it; but on S3, which knows no sessions, until its time is over.

    Asks neither the database nor the storage whether there is such a file: a link to one that is
    gone leads nowhere. Raises StorageUnavailable.
    """
    settings = work.settings[StorageSettings]
    if seconds is None:
        seconds = settings.private_link_seconds if private else settings.link_seconds
    session_id = work.actor.session_id if private and work.actor else None
    content_type = content_types.of_key(work.runtime.catalogue, key)
    url = work.runtime[Storage].link(key, content_type, seconds)
    return url or links.signed(work, key, seconds, session_id)


def open(work: Work, key: str) -> IO[bytes]:
    """What is in the file: a binary stream, seekable, to be closed. Raises NotFound,
    StorageUnavailable."""
    return work.runtime[Storage].open(key)


def exists(work: Work, key: str) -> bool:
    """Whether the storage has it. Raises StorageUnavailable."""
    return work.runtime[Storage].exists(key)


def files_of(work: Work, subject: str) -> Sequence[File]:
    """The rows of a subject's files, of all plugins, the oldest first."""
    return work.db.scalars(
        select(File).where(File.subject == subject).order_by(File.created_at, File.key)
    ).all()


def delete(work: Work, *keys: str) -> None:
    """Delete files: the rows now, the objects when that is committed; those that are gone already
    are passed over.

    What refers to a file has to let go of it first: PostgreSQL refuses to delete its row.
    """
    if keys:
        _delete(work, File.key.in_(keys))


def delete_of(work: Work, *subjects: str) -> None:
    """`delete` for all files of the subjects, of all plugins."""
    if subjects:
        _delete(work, File.subject.in_(subjects))


def _delete(work: Work, condition: ColumnElement[bool]) -> None:
    # A reference that was taken away in the session has to be gone from its table.
    work.db.flush()
    # Only what had a row: a key from anywhere else deletes nothing.
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
) -> Download:
    """The file that a link to this service leads to; `lasts` tells of the session that it is of, if
    any, whether it goes on. Raises NotFound when the link is forged, has expired or leads nowhere,
    StorageUnavailable."""
    links.check(work, key, expires, session, signature)
    if session and not lasts(UUID(session)):
        raise NotFound("The link has expired.")
    file = work.db.get(File, key)
    if file is None:
        raise NotFound
    stream = work.runtime[Storage].open(key)
    return Download(stream, file.content_type, keys.filename(key), file.created_at)
