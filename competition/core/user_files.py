"""Files whose storage keys stand on a user's row."""

from competition.core.models import User
from competition.core.uploads import ReceivedFile
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
