"""Export and erase a candidate's data on leaderboards, and delete names when their retention
ends."""

from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, SQLColumnExpression, false, select, update

from competition.core.jobs.housekeeping import retention
from competition.core.messages import Message
from competition.core.users.models import User
from competition.core.users.personal_data import ERASED, personal_data
from competition.core.work import Work
from competition.plugins.leaderboard import NameSettings
from competition.plugins.leaderboard.models import Board, Entry


def export(work: Work, user: User) -> list[dict[str, Any]]:
    """The user's published ranks, the earliest publication first."""
    rows = work.db.execute(
        select(Board.exam_title, Entry.rank, Entry.full_name, Entry.school)
        .join(Board, Board.id == Entry.board_id)
        .where(Entry.user_id == user.id)
        .order_by(Board.id)
    )
    return [dict(row._mapping) for row in rows]


@personal_data(
    "leaderboard",
    export=export,
    kind="candidate",
    remains=Message("your ranks and scores on published leaderboards"),
)
def erase(work: Work, user: User) -> None:
    """Erase the candidate's name and school from published boards; rank and score stay."""
    work.db.execute(
        update(Entry).where(Entry.user_id == user.id).values(full_name=ERASED, school=ERASED),
        execution_options={"synchronize_session": False},
    )


@retention("leaderboard.names")
def erase_old_names(work: Work) -> None:
    """Erase names from boards of exams that ended at least `competition.names.kept_days` days ago.
    If the setting is 0, nothing is erased."""
    old = select(Board.id).where(is_forgotten(work, Board.concluded_at))
    work.db.execute(
        update(Entry)
        .where(Entry.board_id.in_(old), Entry.full_name != ERASED)
        .values(full_name=ERASED),
        execution_options={"synchronize_session": False},
    )


def is_forgotten(work: Work, ended_at: SQLColumnExpression[Any]) -> ColumnElement[bool]:
    """SQL condition: the names on the leaderboard of an exam that ended at `ended_at` have to be
    erased."""
    days = work.settings[NameSettings].kept_days
    return ended_at <= work.now - timedelta(days=days) if days else false()
