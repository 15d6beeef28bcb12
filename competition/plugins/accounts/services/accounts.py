"""Find accounts by id or email, and lock them. Abandoned accounts count as deleted."""

from datetime import timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, and_, select

from competition.core.users import accounts
from competition.core.users.models import User
from competition.core.work import Work
from competition.plugins.accounts import AccountsSettings


def account_by_id(work: Work, user_id: UUID) -> User | None:
    return _account(work, User.id == user_id)


def account_by_email(work: Work, email: str) -> User | None:
    return _account(work, User.email == email)


def read_by_email(work: Work, email: str) -> User | None:
    """The account that `account_by_email` returns, but not locked."""
    return work.db.scalar(select(User).where(User.email == email, ~is_abandoned(work)))


def _account(work: Work, condition: ColumnElement[bool]) -> User | None:
    """The account that meets the condition, locked. None if there is none, or if it is abandoned
    (decisions D16)."""
    return work.db.scalar(
        select(User)
        .where(condition, ~is_abandoned(work))
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )


def delete_abandoned_accounts(work: Work) -> None:
    accounts.delete_all(work, is_abandoned(work))


def is_abandoned(work: Work) -> ColumnElement[bool]:
    """SQL condition for staff who registered and did not verify their email address in time. It is
    never true for invited staff (decisions D16)."""
    lifetime = timedelta(minutes=work.settings[AccountsSettings].unverified_staff_minutes)
    return and_(
        User.kind == "staff",
        ~User.is_email_verified,
        ~User.is_invited,
        User.date_joined <= work.now - lifetime,
    )
