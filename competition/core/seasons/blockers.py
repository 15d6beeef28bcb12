"""Reasons why the next season can't be opened yet, and warnings for staff who want to open it.

Only a plugin knows which of its objects are unfinished, so plugins declare functions that find
them:

    @season_blocker("notes")
    def open_notes(work: Work) -> list[Blocker]: ...

    @season_warning("notes")
    def late_notes(work: Work) -> str | None: ...

The plugin `seasons` runs these functions. While it is disabled, they are never run.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from competition.core.catalogue import OwnName, declaration
from competition.core.work import Work


@dataclass(frozen=True)
class Blocker:
    """An object, such as an exam, that has to be finished before the next season can be opened.

    If it is an exam, `status` is the status of the exam. If it is something about one exam, such as
    a publication, `exam` is the id of the exam. If it ends without an action of staff,
    `expected_at` is when that happens at the latest.
    """

    id: int
    title: str
    status: str | None = None
    exam: int | None = None
    expected_at: datetime | None = None


FindBlockers = Callable[[Work], Sequence[Blocker]]
FindWarning = Callable[[Work], str | None]


@dataclass(frozen=True)
class SeasonBlocker(OwnName):
    """A reason why the current season can't be closed. `find` returns the objects that have to be
    finished first."""

    name: str
    find: FindBlockers


@dataclass(frozen=True)
class SeasonWarning(OwnName):
    """A warning before the next season is opened. `find` returns its message, or None if there is
    nothing to warn of."""

    name: str
    find: FindWarning


def season_blocker(name: str) -> Callable[[FindBlockers], FindBlockers]:
    """Declare that the decorated function returns the objects that have to be finished before the
    next season can be opened. A scan of its module finds it."""
    return declaration(SeasonBlocker, name, lambda find: SeasonBlocker(name, find))


def season_warning(name: str) -> Callable[[FindWarning], FindWarning]:
    """Declare that the decorated function returns a warning for staff who want to open the next
    season, or None. A scan of its module finds it."""
    return declaration(SeasonWarning, name, lambda find: SeasonWarning(name, find))
