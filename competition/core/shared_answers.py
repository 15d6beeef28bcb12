"""Answers about many rows, which the requests of a process share for two seconds.

Many members of staff poll the same numbers during an exam. For a large exam, it takes long to count
them. For a small one, they are counted at each request, so they are always up to date.
"""

from datetime import datetime, timedelta
from typing import Generic, TypeVar

from competition.core.work import Work

K = TypeVar("K")
V = TypeVar("V")

# An answer about at most this many rows is not shared.
FEW_ROWS = 2_000
SHARED_FOR = timedelta(seconds=2)


class SharedAnswers(Generic[K, V]):
    """The latest answers about many rows, by key. Each use has a class of its own, whose instance
    is a part of the process (`Runtime.part`). Callers must not change an answer."""

    def __init__(self) -> None:
        self._answers: dict[K, tuple[datetime, V]] = {}

    def recent(self, work: Work, key: K) -> V | None:
        """The answer, if one is shared now."""
        found = self._answers.get(key)
        if found is None or not timedelta() <= work.now - found[0] <= SHARED_FOR:
            return None
        return found[1]

    def share(self, work: Work, key: K, answer: V, rows: int) -> None:
        """Share an answer about this many rows, unless they are few."""
        if rows > FEW_ROWS:
            self._answers[key] = work.now, answer
