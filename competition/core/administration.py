"""What operators and staff do to accounts."""

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from competition.core import audit
from competition.core.auth import passwords, sessions
from competition.core.models import Staff, User
from competition.core.roles import StaffRole
from competition.core.work import Work


class AccountError(Exception):
    """For the operator at the command line."""


def account(work: Work, email: str) -> User:
    """Locked. Raises AccountError."""
    user = work.db.scalar(
        select(User).where(User.email == email.strip().lower()).with_for_update(key_share=True)
    )
    if user is None:
        raise AccountError(f"There is no account with the email address {email}.")
    return user


def create_superadmin(
    work: Work, *, email: str, first_name: str, last_name: str, phone: str, password: str
) -> Staff:
    """Verified in every way (decisions F19). Raises AccountError."""
    problems = passwords.problems(password, (first_name, last_name, email))
    if problems:
        raise AccountError("\n".join(problems))
    user = Staff(
        email=email,
        password_hash=passwords.hash_password(password),
        first_name=first_name,
        last_name=last_name,
        phone=phone,
        occupation="",
        role=StaffRole.SUPERADMIN,
        is_email_verified=True,
        verification="approved",
        date_joined=work.now,
        updated_at=work.now,
    )
    work.db.add(user)
    try:
        work.db.flush()
    except IntegrityError:
        raise AccountError(f"There is an account with the email address {email} already.") from None
    audit.record(work, "superadmin.create", target=user.id)
    return user


def set_active(work: Work, user: User, active: bool) -> None:
    """A deactivated user's sessions end (decisions F11). The account is locked."""
    if user.is_active == active:
        return
    audit.record(work, "user.activation", target=user.id, old=user.is_active, new=active)
    user.is_active = active
    user.updated_at = work.now
    if not active:
        sessions.end_all(work, user.id)
