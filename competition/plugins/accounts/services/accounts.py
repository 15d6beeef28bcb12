"""Finds an account, and locks it where it is to be changed."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, DateTime, Row, Select, and_, bindparam, select

from competition.core.users import accounts
from competition.core.users.models import User
from competition.core.work import Work
from competition.plugins.accounts import AccountsSettings


def account_by_id(work: Work, user_id: UUID) -> User | None:
    return _account(work, User.id == user_id)


def account_by_email(work: Work, email: str) -> User | None:
    return _account(work, User.email == email)


def read_by_email(work: Work, email: str) -> Row[Any] | None:
    """The same account with all its columns, not locked: a row of the table."""
    found = work.db.read(work.statement(_by_email), {"email": email, "now": work.now})
    return found[0] if found else None


def _by_email(work: Work) -> Select[Any]:
    now = bindparam("now", type_=DateTime(timezone=True))
    return select(User.__table__).where(
        User.email == bindparam("email"), ~is_abandoned(work, now=now)
    )


def _account(work: Work, condition: ColumnElement[bool]) -> User | None:
    """The account that the condition finds, locked; None for an abandoned one, which is as good as
    deleted (decisions D16)."""
    return work.db.scalar(
        select(User).where(condition, ~is_abandoned(work)).with_for_update(key_share=True)
    )


def delete_abandoned_accounts(work: Work) -> None:
    accounts.delete_all(work, is_abandoned(work))


def is_abandoned(
    work: Work, *, now: datetime | ColumnElement[datetime] | None = None
) -> ColumnElement[bool]:
    """Whether staff registered and did not verify the email address in time; never true for who was
    invited (decisions D16). `now` is the work's, but in a statement that is built once."""
    lifetime = timedelta(minutes=work.settings[AccountsSettings].unverified_staff_minutes)
    return and_(
        User.kind == "staff",
        ~User.is_email_verified,
        ~User.is_invited,
        User.date_joined <= (work.now if now is None else now) - lifetime,
    )
