"""Find accounts by id or email, and lock them. Abandoned accounts are treated as deleted."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, bindparam, select

from competition.core.users import accounts
from competition.core.users.models import User
from competition.core.work import Work
from competition.plugins.accounts import AccountsSettings
from competition.plugins.accounts.events import EmailProven


def _is_abandoned(unverified_since: Any) -> ColumnElement[bool]:
    return and_(
        User.kind == "staff",
        ~User.is_email_verified,
        ~User.is_invited,
        User.date_joined <= unverified_since,
    )


ACCOUNTS = select(User).where(~_is_abandoned(bindparam("unverified_since")))
LOCKED_ACCOUNTS = ACCOUNTS.with_for_update(key_share=True).execution_options(populate_existing=True)
BY_EMAIL = ACCOUNTS.where(User.email == bindparam("email"))
LOCKED_BY_EMAIL = LOCKED_ACCOUNTS.where(User.email == bindparam("email"))
LOCKED_BY_ID = LOCKED_ACCOUNTS.where(User.id == bindparam("user_id"))


def account_by_id(work: Work, user_id: UUID) -> User | None:
    """Lock the account with this id, and return it. None if it does not exist, or if a member of
    staff registered it and did not verify its email address in time (decisions D16)."""
    values = {"user_id": user_id, "unverified_since": _unverified_since(work)}
    return work.db.scalar(LOCKED_BY_ID, values)


def account_by_email(work: Work, email: str) -> User | None:
    """Lock the account with this email, and return it. None if it does not exist, or if a member of
    staff registered it and did not verify its email address in time (decisions D16)."""
    values = {"email": email, "unverified_since": _unverified_since(work)}
    return work.db.scalar(LOCKED_BY_EMAIL, values)


def read_by_email(work: Work, email: str) -> User | None:
    """The account that `account_by_email` returns, but not locked."""
    return work.db.scalar(BY_EMAIL, {"email": email, "unverified_since": _unverified_since(work)})


def prove_email(work: Work, user: User) -> None:
    """Record that the email address of a locked account is verified, if it was not before."""
    if user.is_email_verified:
        return
    user.is_email_verified = True
    user.updated_at = work.now
    work.db.flush()
    work.emit(EmailProven(work, user.id))


def delete_abandoned_accounts(work: Work) -> None:
    accounts.delete_all(work, is_abandoned(work))


def is_abandoned(work: Work) -> ColumnElement[bool]:
    """SQL condition for staff who registered and did not verify their email address in time. It is
    never true for invited staff (decisions D16)."""
    return _is_abandoned(_unverified_since(work))


def _unverified_since(work: Work) -> datetime:
    """The latest time of registration at which an account of staff counts as abandoned, if its
    email address is still not verified."""
    lifetime = timedelta(minutes=work.settings[AccountsSettings].unverified_staff_minutes)
    return work.now - lifetime
