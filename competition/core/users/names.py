"""How much of a candidate's name is shown where many read it, and for how long."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar

from sqlalchemy import ColumnElement, SQLColumnExpression, false

from competition.core.settings import setting
from competition.core.work import Work


@dataclass(frozen=True, kw_only=True)
class NameSettings:
    """`shown` is the form of names on what is published: ``full``, ``short`` (Ada L.) or
    ``initials`` (A. L.). So many `kept_days` after an exam they are erased from it; 0 keeps
    them."""

    prefix: ClassVar[str] = "competition.names"
    shown: str = setting("full", choices=("full", "short", "initials"))
    kept_days: int = setting(0, minimum=0)


SETTINGS = NameSettings


def shown(work: Work, full_name: str) -> str:
    """The name in the form of the settings; a single word, such as the one in the place of an
    erased name, as it is."""
    form = work.settings[NameSettings].shown
    first, *others = full_name.split()
    if form == "full" or not others:
        return full_name
    start = first if form == "short" else f"{first[0]}."
    return f"{start} {others[-1][0]}."


def is_forgotten(work: Work, ended_at: SQLColumnExpression[Any]) -> ColumnElement[bool]:
    """Whether names of what ended then are not shown any more."""
    days = work.settings[NameSettings].kept_days
    return ended_at <= work.now - timedelta(days=days) if days else false()
