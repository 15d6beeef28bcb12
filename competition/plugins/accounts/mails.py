"""Emails about accounts. Secrets in them are generated here, when the email is prepared.

The emails contain no text that a stranger typed, because anyone can register an account with
someone else's email address. The name of a school is in an invitation because a manager has made
the recipient its teacher.
"""

from uuid import UUID

from competition.core.mail.templates import Context, mail_template
from competition.core.runtime import ServiceSettings
from competition.core.work import Work
from competition.plugins.accounts import AccountsSettings
from competition.plugins.accounts.events import InvitationPreparing
from competition.plugins.accounts.services import second_factor
from competition.plugins.accounts.services.accounts import account_by_email, account_by_id
from competition.plugins.accounts.services.codes import make_one_time_password
from competition.plugins.accounts.services.passwords import NO_PASSWORD, generate_password


@mail_template("accounts.registration")
def registration(work: Work, recipient: str, *, user_id: str) -> Context | None:
    """The email after a registration: the code, and the password if one is generated (decisions
    D18). Returns None, which sends no email, if the account is gone or needs neither."""
    user = account_by_id(work, UUID(user_id))
    if user is None:
        return None
    code = None if user.is_email_verified else make_one_time_password(work, user, "email")
    password = generate_password(work, user) if user.password_is_generated else None
    if code is None and password is None:
        return None
    return {"code": code, "password": password, "minutes": _minutes(work), "days": _days(work)}


@mail_template("accounts.invitation")
def invitation(work: Work, recipient: str, *, user_id: str) -> Context | None:
    """The email to an invited member of staff: a generated password, or a code (decisions D17).
    Using either one verifies the address.

    If the inviter has chosen the password and the user has not changed it, the email says so. It
    names the school of which the user is a teacher when the email is prepared.

    Returns None, which sends no email, if the account is gone, or if the address is verified and
    no password is to be generated.
    """
    user = account_by_id(work, UUID(user_id))
    if user is None:
        return None
    if user.password_is_generated:
        password = generate_password(work, user)
        days = _days(work)
        return {"code": None, "password": password, "days": days, "school": _school(work, user.id)}
    if user.is_email_verified:
        return None
    code = make_one_time_password(work, user, "email")
    return {
        "school": _school(work, user.id),
        "code": code,
        "password": None,
        "minutes": _minutes(work),
        "is_chosen_by_inviter": user.password_is_chosen_by_inviter,
    }


@mail_template("accounts.entered")
def entered(work: Work, recipient: str) -> Context | None:
    """The email to a candidate whose account staff have created. It says how to set a password.
    Returns None, which sends no email, if the account is gone or has a password already."""
    user = account_by_email(work, recipient)
    return {} if user is not None and user.password_hash == NO_PASSWORD else None


@mail_template("accounts.email_code")
def email_code(work: Work, recipient: str) -> Context | None:
    """The email with the code that verifies an address. Returns None, which sends no email, if the
    address is unknown or verified already (decisions D13)."""
    user = account_by_email(work, recipient)
    if user is None or user.is_email_verified:
        return None
    code = make_one_time_password(work, user, "email")
    return {"code": code, "minutes": _minutes(work)}


@mail_template("accounts.password_code")
def password_code(work: Work, recipient: str) -> Context | None:
    """The email with the code for changing a password. Returns None, which sends no email, if the
    address is unknown or the account is deactivated (decisions D13)."""
    user = account_by_email(work, recipient)
    if user is None or not user.is_active:
        return None
    code = make_one_time_password(work, user, "password")
    return {"code": code, "minutes": _minutes(work)}


@mail_template("accounts.password_changed")
def password_changed(work: Work, recipient: str) -> Context:
    """The notice of a changed password, in case someone other than the owner changed it."""
    return {"support": work.settings[ServiceSettings].support_email}


@mail_template("accounts.second_factor_changed")
def second_factor_changed(work: Work, recipient: str) -> Context | None:
    """The notice of a changed second factor, in case someone other than the owner changed it.
    Returns None, which sends no email, if the account is gone."""
    user = account_by_email(work, recipient)
    if user is None:
        return None
    is_set_up = second_factor.is_confirmed(work, user)
    return {"is_set_up": is_set_up, "support": work.settings[ServiceSettings].support_email}


def _school(work: Work, user_id: UUID) -> str | None:
    event = InvitationPreparing(work, user_id)
    work.emit(event)
    return event.school


def _minutes(work: Work) -> int:
    return work.settings[AccountsSettings].otp_minutes


def _days(work: Work) -> int:
    return work.settings[AccountsSettings].generated_password_days
