"""Superadmins are created on the command line, because the API can't assign this role (decisions
F19)."""

from sqlalchemy.exc import IntegrityError

from competition.core import audit
from competition.core.audit import security_log
from competition.core.auth import hashing, passwords
from competition.core.auth.access import StaffRole
from competition.core.errors import Invalid
from competition.core.messages import joined
from competition.core.users import sessions
from competition.core.users.events import CredentialsChanged
from competition.core.users.models import Staff
from competition.core.work import Work

OCCUPATION = "Administrator"


def create(
    work: Work, *, email: str, password: str, first_name: str, last_name: str, phone: str
) -> Staff:
    """Create a superadmin, whose email address and identity count as verified.

    Raises Invalid if the password is weak or the address is taken.
    """
    problems = passwords.problems(
        password, (first_name, last_name, email, work.runtime.service.name)
    )
    if problems:
        raise Invalid(joined(problems), errors={"password": problems})
    superadmin = Staff(
        email=email,
        password_hash=hashing.hash_password(password),
        first_name=first_name,
        last_name=last_name,
        phone=phone,
        role=StaffRole.SUPERADMIN,
        occupation=OCCUPATION,
        is_email_verified=True,
        verification="approved",
        date_joined=work.now,
        updated_at=work.now,
    )
    work.db.add(superadmin)
    try:
        work.db.flush()
    except IntegrityError:
        raise Invalid.field(
            "email", f"There is already an account with the email address {email}."
        ) from None
    audit.record(work, "superadmin.create", target=superadmin.id)
    security_log.record_committed(
        work, "role_changed", user_id=superadmin.id, new=StaffRole.SUPERADMIN
    )
    return superadmin


def set_password(work: Work, superadmin: Staff, password: str) -> None:
    """Set a superadmin's password, and end all sessions of the account."""
    superadmin.password_hash = hashing.hash_password(password)
    superadmin.password_is_chosen_by_inviter = False
    superadmin.updated_at = work.now
    sessions.end_all(work, superadmin.id)
    audit.record(work, "superadmin.password", target=superadmin.id)
    security_log.record_committed(work, "password_changed", user_id=superadmin.id)
    work.emit(CredentialsChanged(work, superadmin.id, "password"))
