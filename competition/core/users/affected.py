"""The people whom an action would affect, for previews of actions that can't be undone."""

from typing import Any, TypedDict
from uuid import UUID

from sqlalchemy import Select, func, select

from competition.core.users.models import User
from competition.core.work import Work

# How many people a preview names at most.
MOST_NAMED = 10


class AffectedPerson(TypedDict):
    user_id: UUID
    full_name: str


class Affected(TypedDict):
    """The people whom an action would affect: their number, and the first ten in the order of their
    names."""

    affected: int
    people: list[AffectedPerson]


def affected(work: Work, user_ids: Select[Any]) -> Affected:
    """The number of people whose ids the SELECT `user_ids` returns, each once, and the first ten in
    the order of their names."""
    # The people are counted in a subquery. For a window function, PostgreSQL would have to keep the
    # complete rows of all their accounts.
    count = select(func.count()).select_from(user_ids.subquery()).scalar_subquery()
    rows = work.db.execute(
        select(User, count)
        .where(User.id.in_(user_ids))
        .order_by(User.last_name, User.first_name, User.id)
        .limit(MOST_NAMED)
    ).all()
    return Affected(
        affected=rows[0][1] if rows else 0,
        people=[AffectedPerson(user_id=user.id, full_name=user.full_name) for user, _ in rows],
    )
