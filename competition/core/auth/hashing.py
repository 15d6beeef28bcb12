"""Hash passwords, and compare passwords with hashes: at most two at the same time per process."""

import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import argon2

from competition.core.errors import ServiceUnavailable
from competition.core.monitoring.metrics import Metrics
from competition.core.texts import password_form

# OWASP's minimum for argon2id: 19 MiB, two passes, no parallelism. A hash takes 16 ms of CPU time,
# an eighth of the time with argon2-cffi's defaults.
hasher = argon2.PasswordHasher(memory_cost=19 * 1024, time_cost=2, parallelism=1)

# How many requests of a process hash at the same time, and how many more may wait for that.
HASHES_AT_ONCE = 2
MOST_WAITING = 32


class Permits:
    """Limits how many requests hash at once, and how many more may wait for a permit."""

    def __init__(self, at_once: int, most_waiting: int) -> None:
        self._free = threading.BoundedSemaphore(at_once)
        self._admitted = threading.BoundedSemaphore(at_once + most_waiting)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Context manager: wait for a permit, and hold it.

        Raises ServiceUnavailable if too many requests are waiting already.
        """
        if not self._admitted.acquire(blocking=False):
            raise ServiceUnavailable
        try:
            with self._free:
                yield
        finally:
            self._admitted.release()


class Spent(threading.local):
    """The CPU time that hashing has taken in the current thread, in seconds."""

    seconds = 0.0

    @contextmanager
    def measuring(self) -> Iterator[None]:
        begun = time.thread_time()
        try:
            yield
        finally:
            self.seconds += time.thread_time() - begun


permits = Permits(HASHES_AT_ONCE, MOST_WAITING)
_spent = Spent()


@contextmanager
def permit(metrics: Metrics) -> Iterator[None]:
    """Context manager: hold one of the process's two hashing permits, and measure the CPU time of
    the hashing.

    Acquire it before the first query, because a waiting request must hold neither a connection nor
    a lock. `competition.core.web.policy` acquires it for endpoints with `hashes_password=True`.
    Raises ServiceUnavailable if too many requests are waiting already.
    """
    with permits.hold():
        before = _spent.seconds
        try:
            yield
        finally:
            metrics.password_seconds.inc(_spent.seconds - before)


def hash_password(password: str) -> str:
    with _spent.measuring():
        return hasher.hash(password_form(password))


def is_outdated(password_hash: str) -> bool:
    """Whether the hash was computed with other parameters than today's, and should be renewed."""
    return hasher.check_needs_rehash(password_hash)


def matches(password_hash: str | None, password: str) -> bool:
    """Whether the password matches the hash.

    The password is compared in its normal form (`password_form`). Old hashes are of passwords as
    they were sent, so the password is compared in that form, too.

    If `password_hash` is None, because there is no such user, the result is False. The check takes
    the same time, so that a client can't find out which users exist.
    """
    known = password_hash or _dummy_hash()
    # If both forms are the same, the dict has only one, and the password is compared once.
    forms = dict.fromkeys((password_form(password), password))
    with _spent.measuring():
        is_right = any(_matches(known, form) for form in forms)
    return is_right and password_hash is not None


def _matches(password_hash: str, password: str) -> bool:
    try:
        return hasher.verify(password_hash, password)
    except argon2.exceptions.VerifyMismatchError:
        return False


# Cached, because otherwise the check would take twice as long for an unknown user.
@cache
def _dummy_hash() -> str:
    """A hash to compare with if there is no such user."""
    return hasher.hash(secrets.token_urlsafe())
