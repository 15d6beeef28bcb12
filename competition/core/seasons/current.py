"""The current season, and the seasons that queries name."""

from typing import Any

from sqlalchemy import ColumnElement, exists, select

from competition.core.errors import ApiError, Invalid
from competition.core.messages import Message
from competition.core.seasons.models import Season
from competition.core.work import Work

# Opening a season takes this lock. Transactions that create or reopen an exam, publish, apply or
# undo a plan, or apply an import take the lock first, so that each belongs to one season.
LOCK = "seasons"


class SeasonClosed(ApiError):
    status = 400
    code = "season_closed"
    advice = "Show the exam as it is. Only exams of the current season can be changed."
    detail = Message("The season of this exam is closed, so nothing can be changed.")


def current(work: Work) -> Season:
    return work.db.scalars(select(Season).where(Season.closed_at.is_(None))).one()


def check(work: Work, season_id: int | None) -> None:
    """Check that there is a season with this id, if one is given. Raises Invalid otherwise."""
    if season_id is not None and not work.db.scalar(select(exists().where(Season.id == season_id))):
        raise Invalid.field(
            "season", Message("There is no season ${id}. Check the id.", "season", id=season_id)
        )


def ask(work: Work, season_id: int | None) -> None:
    """Let slots fill the reply with what belongs to this season, instead of the current one.

    Raises Invalid if there is no such season.
    """
    check(work, season_id)
    if season_id is not None and season_id != current(work).id:
        work.made[Season] = season_id


def asked(work: Work) -> int | None:
    """The id of the season that `ask` has named, or None for the current season."""
    season_id: int | None = work.made.get(Season)
    return season_id


def is_asked(work: Work, of: Any) -> ColumnElement[bool]:
    """SQL condition: whether an exam is of the season that `ask` has named. `of` is Exam, or has
    its columns."""
    return _is_of(asked(work), of)


def wanted(work: Work, season_id: int | None, of: Any) -> ColumnElement[bool]:
    """SQL condition: whether an exam is of the season that a query names, or of the current one.

    `of` is Exam, or has its columns. Raises Invalid if there is no such season.
    """
    check(work, season_id)
    return _is_of(season_id, of)


def _is_of(season_id: int | None, of: Any) -> ColumnElement[bool]:
    condition: ColumnElement[bool] = (
        of.is_current if season_id is None else of.season_id == season_id
    )
    return condition
