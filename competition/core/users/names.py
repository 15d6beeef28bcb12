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
    many days after the end of an exam the names on its leaderboard are erased. If it is 0, they are
    never erased.
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
    """SQL condition: the names on the leaderboard of an exam that ended at `ended_at` have to be
    erased."""
    days = work.settings[NameSettings].kept_days
    return ended_at <= work.now - timedelta(days=days) if days else false()
