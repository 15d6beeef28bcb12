"""The form in which candidates' names are published, and for how long."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar

from sqlalchemy import ColumnElement, SQLColumnExpression, false

from competition.core.settings import setting
from competition.core.work import Work


@dataclass(frozen=True, kw_only=True)
class NameSettings:
    """The names of candidates in published data.

    `shown` is their form: ``full``, ``short`` (Ada L.) or ``initials`` (A. L.). `kept_days` is how
    long after an exam its published names are erased, in days; with 0 they stay.
    """

    prefix: ClassVar[str] = "competition.names"
    shown: str = setting("full", choices=("full", "short", "initials"))
    kept_days: int = setting(0, minimum=0)


SETTINGS = NameSettings


def shown(work: Work, full_name: str) -> str:
    """The name in the form of the setting `shown`. A single word, such as the replacement of an
    erased name, is not changed."""
    form = work.settings[NameSettings].shown
    if form == "full":
        return full_name
    first, *others = full_name.split()
    if not others:
        return full_name
    start = first if form == "short" else f"{first[0]}."
    return f"{start} {others[-1][0]}."


def is_forgotten(work: Work, ended_at: SQLColumnExpression[Any]) -> ColumnElement[bool]:
    """SQL condition: an exam that ended at `ended_at` no longer shows names."""
    days = work.settings[NameSettings].kept_days
    return ended_at <= work.now - timedelta(days=days) if days else false()
