"""Create the storage that the settings name, and declare the readiness checks of its folder and of
the disks."""

import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pyramid.config import Configurator
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from competition.core.errors import StorageUnavailable
from competition.core.messages import Message
from competition.core.monitoring.readiness import readiness_check
from competition.core.runtime import Runtime
from competition.core.settings import Settings, imported
from competition.core.storage.contract import Storage, StorageSettings, unavailable
from competition.core.storage.keys import FOLDER
from competition.core.storage.models import File

SETTINGS = StorageSettings
# If one of the disks has less free space than this, in bytes, the service is degraded: it still
# accepts requests, but uploads will soon fail, and an operator should make room.
LEAST_FREE_DISK = 100 * 2**20
# The names of the folders of all files, which are the first parts of their keys, and how long a
# process caches the names.
FOLDERS = select(func.split_part(File.key, "/", 1)).distinct()
FOLDERS_CACHED = timedelta(minutes=10)


def make_storage(settings: Settings) -> Storage:
    """Create the storage that the settings name. Raises SettingsError if it can't be imported."""
    storage = settings[StorageSettings]
    backend = _backend(storage)
    if backend == "s3":
        # Imported only if needed: importing boto3 takes a third of a second.
        from competition.core.storage.s3 import S3Storage

        return S3Storage(storage)
    if backend == "folder":
        from competition.core.storage.local import LocalStorage

        assert storage.folder is not None, "StorageSettings.problems checks it"
        return LocalStorage(storage.folder)
    made: Storage = imported("competition.storage.backend", backend)(settings)
    return made


def _backend(settings: StorageSettings) -> str:
    return settings.backend or ("s3" if settings.s3_bucket else "folder")


def is_folder(settings: StorageSettings) -> bool:
    """Whether files are in a folder, and not in S3 or in a storage of a plugin."""
    return _backend(settings) == "folder"


class StoredFolders:
    """The names of the folders that contain stored files. There is one instance per process.

    Finding the names reads the keys of all files, so the instance caches them for 10 minutes.
    """

    def __init__(self) -> None:
        self._names: Sequence[str] = ()
        self._until: datetime | None = None

    def names(self, work: Any) -> Sequence[str]:
        if self._until is None or self._until <= work.now:
            with suppress(SQLAlchemyError):  # the check of the database reports it
                self._names = work.db.scalars(FOLDERS).all()
                self._until = work.now + FOLDERS_CACHED
        return self._names


# This check is not required, because most requests store no files. All api processes have the same
# folder, so a required check would make all of them unready.
@readiness_check("storage", required=False)
def check_folder(work: Any) -> str | None:
    """Readiness check: whether this process can write to the folder for files and to the plugins'
    folders in it, and whether no folder of a stored file is missing. Returns the problem, or None.

    To check the writing, this creates temporary files, which are deleted at once. If the files are
    in S3, or in a storage of a plugin, it returns None.
    """
    settings = work.settings[StorageSettings]
    if not is_folder(settings):
        return None
    assert settings.folder is not None, "StorageSettings.problems checks it"
    folder = settings.folder
    try:
        # Skip folders that can't contain files of the service, such as lost+found on a disk.
        below = [each for each in folder.glob("*/") if FOLDER.fullmatch(each.name)]
        for each in (_existing(folder), *below):
            with tempfile.TemporaryFile(dir=each):
                pass
    except OSError as error:
        # Logged at most once a minute, by the logger for uploads that fail.
        unavailable(error)
        return Message("The service can't write to the folder for files. Its log has the reason.")
    try:
        for name in work.runtime.part(StoredFolders).names(work):
            work.runtime[Storage].exists(f"{name}/none")
    except StorageUnavailable:
        return Message("Stored files are missing. The log of the service names their folder.")
    return None


# This check is not required, because most requests need no free space. If all api processes share
# one disk, a required check would make all of them unready.
@readiness_check("disk", required=False)
def check_disk(work: Any) -> str | None:
    """Readiness check: whether there is enough free space for uploads in the temporary folder, for
    files in the folder of the storage, if it has one, and in `var`. Returns the problem, or
    None."""
    settings = work.settings[StorageSettings]
    folders = (
        (Message("temporary files"), Path(tempfile.gettempdir())),
        (Message("the storage"), settings.folder),
        ("var", work.runtime.service.var),
    )
    full = [
        name for name, folder in folders if folder is not None and _free(folder) < LEAST_FREE_DISK
    ]
    if not full:
        return None
    return Message(
        "The disk is nearly full. Free some space on it. It holds: ${folders}.", folders=full
    )


def _free(folder: Path) -> int:
    """Free space of a folder's disk, in bytes. The folder itself may not exist yet."""
    return shutil.disk_usage(_existing(folder)).free


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists."""
    return next(each for each in (folder, *folder.parents) if each.exists())


def includeme(config: Configurator) -> None:
    runtime: Runtime = config.registry.runtime
    runtime.provide(Storage, make_storage(runtime.settings))
