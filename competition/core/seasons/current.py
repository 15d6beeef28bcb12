"""The current season, and the past seasons that clients name in a query."""

from typing import Any

from sqlalchemy import ColumnElement, Row, exists, select

from competition.core.errors import ApiError, Invalid
from competition.core.messages import Message
from competition.core.seasons.models import SEASONS, Season
from competition.core.work import Work

# The lock for opening a season. Transactions that depend on the current season take it first, so
# that no season is opened while they run. For example, such a transaction creates an exam,
# publishes results, applies a regrade or an import, or changes an advancement plan.
LOCK = "seasons"
# The lock for joining the current season, which requests to join share. Opening a season acquires
# it last, so that these requests only wait for seconds.
JOINING = "seasons.joining"
# A statement of the table takes less time than one of the mapped class.
CURRENT = select(SEASONS).where(SEASONS.c.closed_at.is_(None))


class SeasonClosed(ApiError):
    status = 400
    code = "season_closed"
    advice = "Show the exam as it is. Only exams of the current season can be changed."
    detail = Message("The season of this exam is closed, so nothing can be changed.")


def current(work: Work) -> Row[Any]:
    """The current season, as the columns of `Season`."""
    return work.db.execute(CURRENT).one()


def joinable(work: Work) -> Row[Any]:
    """Keep the current season from being closed until the commit, and return it, so that a
    candidate can join it. Call this before you lock the candidate."""
    work.lock(JOINING, shared=True)
    return current(work)


def check(work: Work, season_id: int | None) -> None:
    """Check that there is a season with this id, if one is given. Raises Invalid otherwise."""
    if season_id is not None and not work.db.scalar(select(exists().where(Season.id == season_id))):
        raise Invalid.field(
            "season", Message("There is no season ${id}. Check the id.", "season", id=season_id)
        )


def ask(work: Work, season_id: int | None) -> None:
    """Name the season whose data other plugins add to the reply of this request. Their functions,
    which fill the reply's slots (`competition.core.slots`), read it with `asked` or `is_asked`.

    If `season_id` is None, they use the current season. Raises Invalid if there is no such season.
    """
    check(work, season_id)
    if season_id is not None and season_id != current(work).id:
        work.made[Season] = season_id


def asked(work: Work) -> int | None:
    """The id of the season that `ask` has named, or None for the current season."""
    season_id: int | None = work.made.get(Season)
    return season_id


def is_asked(work: Work, of: Any) -> ColumnElement[bool]:
    """SQL condition: whether an exam belongs to the season that `ask` has named, or to the current
    season if `ask` has named none. `of` is Exam, or has its columns."""
    return _is_of(asked(work), of)


def wanted(work: Work, season_id: int | None, of: Any) -> ColumnElement[bool]:
    """SQL condition: whether an exam belongs to this season, or to the current season if
    `season_id` is None.

    `of` is Exam, or has its columns. Raises Invalid if there is no such season.
    """
    check(work, season_id)
    return _is_of(season_id, of)


def _is_of(season_id: int | None, of: Any) -> ColumnElement[bool]:
    condition: ColumnElement[bool] = (
        of.is_current if season_id is None else of.season_id == season_id
    )
    return condition
