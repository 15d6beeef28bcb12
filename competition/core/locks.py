"""Locks that have a name and no row: PostgreSQL's advisory ones, held until the commit."""

from sqlalchemy import ColumnElement, func, select

from competition.core.work import Work


def hold(work: Work, name: str) -> None:
    """Waits for whoever holds it. `name` says whose it is, such as ``leaderboard.publish``."""
    work.db.execute(select(func.pg_advisory_xact_lock(_number(name))))


def try_to_hold(work: Work, name: str) -> bool:
    """False while another transaction holds it."""
    return bool(work.db.scalar(select(func.pg_try_advisory_xact_lock(_number(name)))))


def _number(name: str) -> ColumnElement[int]:
    return func.hashtextextended(name, 0)
