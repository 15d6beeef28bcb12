"""To-dos: things that wait for staff, such as identity documents to review or failed emails.

Core and all plugins can declare functions that count such things:

    @todo("notes", rank=StaffRole.ADMIN, link="notes")
    def notes_to_read(work: Work) -> Waiting:
        return waiting(work, select(Note.written_at).where(Note.read_at.is_(None)))

A plugin shows them to staff. If no such plugin is enabled, nothing is counted.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, String, cast, func, select

from competition.core.auth.access import StaffRole
from competition.core.catalogue import OwnName, declaration
from competition.core.work import Work


@dataclass(frozen=True)
class Waiting:
    """How many things wait for staff, and since when the oldest of them has waited.

    If only one thing waits, `link` may lead to it, relative to the address of the staff console. It
    then replaces the link of the `Todo`.
    """

    count: int
    oldest: datetime | None
    link: str | None = None


Look = Callable[[Work], Waiting]


@dataclass(frozen=True)
class Todo(OwnName):
    """A kind of things that wait for staff of this rank or higher.

    `link` is the address of the page where staff deal with these things, relative to the address of
    the console. `look` counts them. It runs twice a minute, and must not change anything.
    """

    name: str
    rank: StaffRole
    link: str
    look: Look


def todo(name: str, *, rank: StaffRole, link: str) -> Callable[[Look], Look]:
    """Declare that the decorated function counts things that wait for staff. A scan of its module
    finds it."""
    return declaration(Todo, name, lambda look: Todo(name, rank, link, look))


def waiting(work: Work, since: Select[*tuple[Any, ...]], link: str = "") -> Waiting:
    """Count the rows of a SELECT. Its first column is the time since when the row has waited.

    With `link`, such as `appeals/{}`, the SELECT has a second column, whose value takes the place
    of the braces. A to-do with a single row then leads to this address.
    """
    rows = since.subquery()
    waits_since, *ids = rows.c
    # The ids are cast to strings, because PostgreSQL has no function `min` for UUIDs.
    only = (func.min(cast(each, String)) for each in ids)
    count, oldest, *values = work.db.execute(
        select(func.count(), func.min(waits_since), *only).select_from(rows)
    ).one()
    return Waiting(count, oldest, link.format(*values) if link and count == 1 else None)
