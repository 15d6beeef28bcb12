"""Chooses the storage that the settings ask for."""

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
    """The storage that the settings ask for. Raises SettingsError for one that can't be
    imported."""
    storage = settings[StorageSettings]
    backend = storage.backend or ("s3" if storage.s3_bucket else "folder")
    if backend == "s3":
        # Imported where it is asked for: boto3 takes a third of a second.
        from competition.core.storage.s3 import S3Storage

        return S3Storage(storage)
    if backend == "folder":
        from competition.core.storage.local import LocalStorage

        assert storage.folder is not None, "it is given, as StorageSettings.problems says"
        return LocalStorage(storage.folder)
    made: Storage = imported("competition.storage.backend", backend)(settings)
    return made


# Not required: answers need no disk of an api, and all apis may share one disk.
@readiness_check("disk", required=False)
def check_disk(work: Any) -> str | None:
    """Readiness check of the disks: where uploads wait, where a folder keeps them, and what the
    service writes besides."""
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
    return f"The disk is nearly full: of {', '.join(full)}." if full else None


def _free(folder: Path) -> float:
    """Free space of a folder's disk, in MiB."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    return shutil.disk_usage(there).free / MEBIBYTE


def includeme(config: Configurator) -> None:
    runtime: Runtime = config.registry.runtime
    runtime.provide(Storage, make_storage(runtime.settings))
    config.scan(__name__)
