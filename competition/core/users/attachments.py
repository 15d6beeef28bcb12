"""Replace and remove the files of an account, and create links to them. The files' keys in the
storage are in columns of the account's row, such as `profile_picture`."""

from competition.core.errors import StorageUnavailable
from competition.core.storage import files
from competition.core.storage.pictures import ReceivedFile
from competition.core.users.models import User
from competition.core.work import Work


def replace(
    work: Work, user: User, column: str, file: ReceivedFile, *, plugin: str, folder: str
) -> None:
    """Store a file and write its key to the column of a locked user.

    The column's old file is deleted after the commit. If the transaction fails, the new file is
    deleted. Raises StorageUnavailable if the storage fails.
    """
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
    """Clear these columns of a locked user. The files are deleted after the commit."""
    old = [key for column in columns if (key := getattr(user, column)) is not None]
    for column in columns:
        setattr(user, column, None)
    files.delete(work, *old)


def link(work: Work, key: str | None, *, private: bool = False) -> str | None:
    """A temporary link to a file of an account, or None if there is no file or the storage is
    unavailable. A `private` link works for 5 minutes; other links work for the time in the setting
    `link_seconds`."""
    if key is None:
        return None
    try:
        return files.link(work, key, private=private)
    except StorageUnavailable:
        # A profile without its picture is better than no profile.
        return None
