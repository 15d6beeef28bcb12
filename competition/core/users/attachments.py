"""Files whose storage keys stand on a user's row."""

from collections.abc import Collection, Iterable, Iterator
from datetime import timedelta
from itertools import islice

from pyramid.config import Configurator
from sqlalchemy import select

from competition.core.jobs.housekeeping import HousekeepingSettings
from competition.core.jobs.tasks import task
from competition.core.users.models import User
from competition.core.web.uploads import ReceivedFile
from competition.core.work import Work


def replace(work: Work, user: User, column: str, folder: str, file: ReceivedFile) -> None:
    """The old file goes when the new one is committed, the new one when it is not.

    `user` is locked. Raises StorageUnavailable.
    """
    storage = work.storage
    new = storage.put(folder, file.stream, file.extension)
    work.after_abort(lambda: storage.delete(new))
    remove(work, user, column)
    setattr(user, column, new)


def remove(work: Work, user: User, column: str) -> None:
    """The file goes when that is committed."""
    storage, key = work.storage, getattr(user, column)
    if key is not None:
        work.after_commit(lambda: storage.delete(key))
    setattr(user, column, None)


FILE_COLUMNS = (
    User.face_id,
    User.id_card,
    User.verification_document,
    User.profile_picture,
)


@task("core.delete_orphans", every=timedelta(days=1))
def delete_orphans(work: Work) -> None:
    """Files of transactions that failed in a way that could not be undone at once."""
    hours = work.settings[HousekeepingSettings].orphan_hours
    for keys in _batches(work.storage.keys(before=work.now - timedelta(hours=hours))):
        for key in set(keys) - _referred_to(work, keys):
            work.storage.delete(key)


def _batches(keys: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(keys)
    while batch := list(islice(rest, 1000)):
        yield batch


def _referred_to(work: Work, keys: Collection[str]) -> set[str]:
    found: set[str] = set()
    for column in FILE_COLUMNS:
        in_use = work.db.scalars(select(column).where(column.in_(keys)))
        found.update(key for key in in_use if key is not None)
    return found


def includeme(config: Configurator) -> None:
    config.scan(__name__)
