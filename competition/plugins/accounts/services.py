"""Registration, the proof of an email address, login.

Whoever changes an account, or decides on its password or codes, locks its row first.
"""

import secrets
from datetime import timedelta
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from competition.core import flags, mail, throttle
from competition.core.auth import passwords, sessions
from competition.core.auth.sessions import TokenPair
from competition.core.errors import AuthenticationFailed, Invalid
from competition.core.models import Candidate, Staff, User, candidate_number
from competition.core.roles import CandidateRole, StaffRole
from competition.core.work import Work
from competition.plugins.accounts import AccountsSettings
from competition.plugins.accounts.errors import (
    AccountAlreadyAuthenticated,
    InvalidOtp,
    PasswordsDoNotMatch,
    PasswordValidationFailed,
    RegistrationClosed,
)
from competition.plugins.accounts.models import OneTimePassword

Purpose = Literal["email", "password"]

# What the codes' keyed hashes are signed for.
SIGNED_FOR = "one-time password"
# In the place of a hash: no password matches it.
NO_PASSWORD = ""


def candidate_registration_is_open(work: Work) -> bool:
    return flags.enabled(work, "candidate_registration")


def staff_registration_is_open(work: Work) -> bool:
    return flags.enabled(work, "staff_registration")


def check_candidate_may_register(work: Work) -> None:
    """Raises AccountAlreadyAuthenticated, RegistrationClosed (decisions D9)."""
    _check_may_register(work, candidate_registration_is_open(work))


def check_staff_may_register(work: Work) -> None:
    """Raises AccountAlreadyAuthenticated, RegistrationClosed (decisions D9)."""
    _check_may_register(work, staff_registration_is_open(work))


def _check_may_register(work: Work, is_open: bool) -> None:
    if work.actor is not None:
        raise AccountAlreadyAuthenticated
    if not is_open:
        raise RegistrationClosed


def register_candidate(work: Work, fields: dict[str, Any]) -> None:
    """Raises PasswordsDoNotMatch, PasswordValidationFailed, Invalid for an email address that is
    taken."""
    account = _new_account(work, fields)
    number = work.db.scalar(select(func.next_value(candidate_number)))
    role = CandidateRole.SCREENING
    _add(work, Candidate(**account, role=role, school=fields["school"], number=number))


def register_staff(work: Work, fields: dict[str, Any]) -> None:
    """Raises PasswordsDoNotMatch, PasswordValidationFailed, Invalid for an email address that is
    taken."""
    account = _new_account(work, fields)
    _add(work, Staff(**account, role=StaffRole.VOLUNTEER, occupation=fields["occupation"]))


def _new_account(work: Work, fields: dict[str, Any]) -> dict[str, Any]:
    is_generated = fields["generate_password"]
    return {
        "email": fields["email"],
        # A generated one is made by the mail that tells it.
        "password_hash": NO_PASSWORD if is_generated else _chosen_password_hash(fields),
        "password_is_generated": is_generated,
        "first_name": fields["first_name"],
        "last_name": fields["last_name"],
        "phone": fields["phone"],
        "date_joined": work.now,
        "updated_at": work.now,
    }


def _chosen_password_hash(fields: dict[str, Any]) -> str:
    password: str = fields["password"]
    if password != fields["password2"]:
        raise PasswordsDoNotMatch
    personal = (fields["first_name"], fields["last_name"], fields["email"])
    problems = passwords.problems(password, personal)
    if problems:
        raise PasswordValidationFailed(problems[0], errors={"password": problems})
    return passwords.hash_password(password)


def _add(work: Work, user: User) -> None:
    work.db.execute(delete(User).where(User.email == user.email, _is_abandoned(work)))
    work.db.add(user)
    try:
        work.db.flush()
    except IntegrityError:
        raise Invalid.field("email", "There is an account with this address already.") from None
    mail.send(work, "accounts.registration", user.email, user_id=str(user.id))


def account_by_id(work: Work, user_id: UUID) -> User | None:
    return _account(work, User.id == user_id)


def account_by_email(work: Work, email: str) -> User | None:
    return _account(work, User.email == email)


def _account(work: Work, condition: ColumnElement[bool]) -> User | None:
    """Locked. An abandoned account is as good as deleted (decisions D16)."""
    return work.db.scalar(
        select(User).where(condition, ~_is_abandoned(work)).with_for_update(key_share=True)
    )


def delete_abandoned_accounts(work: Work) -> None:
    work.db.execute(delete(User).where(_is_abandoned(work)))


def _is_abandoned(work: Work) -> ColumnElement[bool]:
    """Staff that registered and did not prove the email address in time; nobody who was invited
    (decisions D16)."""
    lifetime = timedelta(minutes=work.settings[AccountsSettings].unverified_staff_minutes)
    return and_(
        User.kind == "staff",
        ~User.is_email_verified,
        ~User.is_invited,
        User.date_joined <= work.now - lifetime,
    )


def send_email_code(work: Work, email: str) -> None:
    """Whether there is something to send is found out later, by the mail: asking takes the same
    time for every address (decisions D13).

    Raises RateLimitExceeded.
    """
    throttle.check_one_time_password(work, "email", email)
    mail.send(work, "accounts.email_code", email)


def verify_email(work: Work, email: str, code: str) -> None:
    """Raises InvalidOtp."""
    user = account_by_email(work, email)
    if user is None:
        raise InvalidOtp
    work.db.delete(check_one_time_password(work, user, "email", code))
    user.is_email_verified = True
    user.updated_at = work.now


def make_one_time_password(work: Work, user: User, purpose: Purpose) -> str:
    """A new code of six digits for an account that is locked; the old one dies."""
    code = f"{secrets.randbelow(10**6):06}"
    lifetime = timedelta(minutes=work.settings[AccountsSettings].otp_minutes)
    values = {
        "digest": work.runtime.keyring.sign(SIGNED_FOR, _signed(user, purpose, code)),
        "expires_at": work.now + lifetime,
        "tries": 0,
    }
    work.db.execute(
        insert(OneTimePassword)
        .values(user_id=user.id, purpose=purpose, **values)
        .on_conflict_do_update(index_elements=["user_id", "purpose"], set_=values)
    )
    return code


def check_one_time_password(work: Work, user: User, purpose: Purpose, code: str) -> OneTimePassword:
    """The row of the right code, to be deleted by whom it is used up; a wrong one is counted, and
    so many kill it (decisions D10). The account is locked.

    Raises InvalidOtp.
    """
    stored = work.db.get(OneTimePassword, (user.id, purpose))
    tries = work.settings[AccountsSettings].otp_tries
    if stored is None or stored.expires_at <= work.now or stored.tries >= tries:
        raise InvalidOtp
    signed = _signed(user, purpose, code)
    if not work.runtime.keyring.verifies(SIGNED_FOR, signed, stored.digest):
        stored.tries += 1
        raise InvalidOtp
    return stored


def _signed(user: User, purpose: Purpose, code: str) -> str:
    return f"{user.id}:{purpose}:{code}"


def generate_password(user: User) -> str:
    """A new password for an account that is locked."""
    password = passwords.generate()
    user.password_hash = passwords.hash_password(password)
    return password


def log_in(work: Work, email: str, password: str) -> tuple[User, TokenPair]:
    """From here on the user is the actor. Raises AuthenticationFailed, the same one in the same
    time for an unknown address, a wrong password and a deactivated account (decisions C5)."""
    user = account_by_email(work, email)
    password_hash = user.password_hash if user is not None and user.is_active else None
    if not passwords.matches(password_hash, password) or user is None:
        raise AuthenticationFailed
    user.password_is_generated = False
    tokens = sessions.start(work, user)
    work.actor = sessions.identify(work, tokens.access)
    return user, tokens
