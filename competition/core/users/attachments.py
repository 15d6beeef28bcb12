"""Files of an account whose keys stand in columns of its row."""

from competition.core.storage import files
from competition.core.storage.pictures import ReceivedFile
from competition.core.users.models import User
from competition.core.work import Work


def replace(
    work: Work, user: User, column: str, file: ReceivedFile, *, plugin: str, folder: str
) -> None:
    """Store a file in the place of the column's old one. The old file goes when the new one is
    committed, the new one when it is not. `user` is locked. Raises StorageUnavailable."""
    old = getattr(user, column)
    new = files.store(
        work,
        file.stream,
        file.extension,
        plugin=plugin,
        subject=files.of_user(user.id),
        folder=folder,
    )
    setattr(user, column, new)
    if old is not None:
        files.delete(work, old)


def remove(work: Work, user: User, *columns: str) -> None:
    """Clear these columns; the files go when that is committed. `user` is locked."""
    old = [key for column in columns if (key := getattr(user, column)) is not None]
    for column in columns:
        setattr(user, column, None)
    files.delete(work, *old)
