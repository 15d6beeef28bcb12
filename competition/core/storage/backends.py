"""Create the storage that the settings name, and check the free space of the disks."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from pyramid.config import Configurator

from competition.core.monitoring.readiness import readiness_check
from competition.core.runtime import Runtime
from competition.core.settings import Settings, imported
from competition.core.storage.contract import Storage, StorageSettings

SETTINGS = StorageSettings
MEBIBYTE = 2**20


def make_storage(settings: Settings) -> Storage:
    """Create the storage that the settings name. Raises SettingsError if it can't be imported."""
    storage = settings[StorageSettings]
    backend = storage.backend or ("s3" if storage.s3_bucket else "folder")
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


# Not required: most requests need no free space, and all api processes may share one disk, so that
# none of them would be ready.
@readiness_check("disk", required=False)
def check_disk(work: Any) -> str | None:
    """Readiness check of the free space for uploads in progress, for the storage if it is a
    folder, and for `var`. Returns the problem, or None."""
    settings = work.settings[StorageSettings]
    folders = {
        "temporary files": Path(tempfile.gettempdir()),
        "the storage": settings.folder,
        "var": work.runtime.service.var,
    }
    full = [
        name
        for name, folder in folders.items()
        if folder is not None and _free(folder) < settings.free_disk
    ]
    return f"The disk is nearly full. It holds: {', '.join(full)}." if full else None


def _free(folder: Path) -> float:
    """Free space of a folder's disk, in MiB. The folder itself may not exist yet."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    return shutil.disk_usage(there).free / MEBIBYTE


def includeme(config: Configurator) -> None:
    runtime: Runtime = config.registry.runtime
    runtime.provide(Storage, make_storage(runtime.settings))
    config.scan(__name__)
