"""Serve images to candidates: each process reads an image from the storage once, and caches it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from time import monotonic

from cachetools import LRUCache
from sqlalchemy import select

from competition.core.errors import NotFound, ServiceUnavailable
from competition.core.storage import files
from competition.core.storage.models import File
from competition.core.work import Work
from competition.plugins.questions.models import QuestionImage
from competition.plugins.questions.services.images import FOLDER

NAME = re.compile(r"[0-9a-f]{32}\.[a-z]+", re.ASCII)
# The most bytes of images that a process caches.
LARGEST_CACHE = 64 * 1024 * 1024
# How long other threads wait for the thread that is reading an image, in seconds since it began. If
# the storage does not respond, requests for images fail, but threads stay free to save answers.
PATIENCE = 1.0


@dataclass(frozen=True)
class ServedImage:
    content: bytes
    content_type: str


class ImageCache:
    """Cache for images. Each process has one.

    Thousands of candidates get the images of a paper within a minute. Without the cache, the
    service would read the storage for each request. An image never changes, so nothing has to
    expire. When the cache has `LARGEST_CACHE` bytes, it drops the images that were requested least
    recently.
    """

    def __init__(self) -> None:
        self._images: LRUCache[str, ServedImage] = LRUCache(
            LARGEST_CACHE, getsizeof=lambda image: len(image.content)
        )
        # Threads share the cache, and cachetools does not lock.
        self._lock = Lock()
        # Held while an image is read. Only one image is read at a time, so that reading occupies at
        # most one thread.
        self._reading = Lock()
        self._reading_since = 0.0

    def get(self, name: str) -> ServedImage | None:
        with self._lock:
            return self._images.get(name)

    def read(self, name: str, load: Callable[[], ServedImage]) -> ServedImage:
        """The cached image or, if there is none, the result of `load`. Raises ServiceUnavailable
        if another thread has been loading an image for too long."""
        waits = max(0.0, self._reading_since + PATIENCE - monotonic())
        if not self._reading.acquire(timeout=waits):
            raise ServiceUnavailable
        try:
            self._reading_since = monotonic()
            # While this thread waited for the lock, another thread may have cached the image.
            if (image := self.get(name)) is None:
                image = load()
                with self._lock:
                    self._images[name] = image
            return image
        finally:
            self._reading.release()


def served(work: Work, name: str) -> ServedImage:
    """The image with this name.

    Raises NotFound if there is no such image, StorageUnavailable if the storage fails, and
    ServiceUnavailable if the storage is slow.
    """
    cache = work.runtime.part(ImageCache)
    if (cached := cache.get(name)) is not None:
        return cached
    if not NAME.fullmatch(name):
        raise NotFound
    key = f"{FOLDER}/{name}"
    # The join with QuestionImage leaves out the files of other plugins.
    content_type = work.db.scalar(
        select(File.content_type)
        .join(QuestionImage, QuestionImage.file == File.key)
        .where(File.key == key)
    )
    if content_type is None:
        raise NotFound

    def load() -> ServedImage:
        with files.open(work, key) as stream:
            return ServedImage(stream.read(), content_type)

    return cache.read(name, load)
