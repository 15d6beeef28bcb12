"""A storage in a folder of this machine, or in a folder that several machines share. The service
itself sends its files to clients."""

import os
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO

from competition.core.errors import NotFound
from competition.core.storage.contract import unavailable


class LocalStorage:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, key: str, stream: IO[bytes], content_type: str) -> None:
        target = self._folder / key
        stream.seek(0)
        try:
            # Create the two folders one by one, because `parents=True` creates the parents of a
            # folder with the default mode.
            (self._folder / key.partition("/")[0]).mkdir(parents=True, exist_ok=True, mode=0o700)
            target.parent.mkdir(exist_ok=True, mode=0o700)
            with target.open("xb") as file:
                shutil.copyfileobj(stream, file)
                # The row is committed next. If the power fails after that, the file must be there.
                file.flush()
                os.fsync(file.fileno())
            for folder in [*target.parents][: key.count("/") + 1]:
                _sync(folder)
        except FileExistsError as error:
            raise unavailable(error) from error
        except OSError as error:
            # A part of the file may exist, for example if the disk is full.
            self.delete(key)
            raise unavailable(error) from error

    def open(self, key: str) -> IO[bytes]:
        try:
            return (self._folder / key).open("rb")
        except FileNotFoundError:
            self._check_folder(key)
            raise NotFound from None
        except OSError as error:
            raise unavailable(error) from error

    def exists(self, key: str) -> bool:
        self._check_folder(key)
        return (self._folder / key).is_file()

    def _check_folder(self, key: str) -> None:
        """Check that the first folder of the key exists. Raises StorageUnavailable if it does not.

        The service never deletes this folder. If the folder is missing, its disk may not be
        mounted, so all of its files are missing.
        """
        folder = self._folder / key.partition("/")[0]
        if not folder.is_dir():
            raise unavailable(f"{folder} is not a folder")

    def delete(self, key: str) -> None:
        path = self._folder / key
        try:
            path.unlink(missing_ok=True)
            # A file that was stored with a name has a folder of its own.
            if key.count("/") > 1 and path.parent.is_dir():
                path.parent.rmdir()
        except OSError as error:
            raise unavailable(error) from error

    def keys(self, before: datetime) -> Iterator[str]:
        for path in self._folder.rglob("*"):
            try:
                is_older = path.is_file() and path.stat().st_mtime < before.timestamp()
            except FileNotFoundError:
                # The file was deleted while the list was read.
                continue
            if is_older:
                yield path.relative_to(self._folder).as_posix()

    def link(self, key: str, content_type: str, seconds: int) -> None:
        """Return None: the service itself sends the files."""


def _sync(folder: Path) -> None:
    """Write the entries of a folder to the disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
