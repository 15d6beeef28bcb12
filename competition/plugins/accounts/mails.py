"""Mails with secrets, which are made here. Nothing in them was typed in by somebody: an account
can be registered with anybody's address."""

from uuid import UUID

from competition.core.mail.templates import Context, mail_template
from competition.core.runtime import ServiceSettings
from competition.core.work import Work
from competition.plugins.accounts import AccountsSettings
from competition.plugins.accounts.services import second_factor
from competition.plugins.accounts.services.accounts import account_by_email, account_by_id
from competition.plugins.accounts.services.codes import make_one_time_password
from competition.plugins.accounts.services.passwords import generate_password


@mail_template("accounts.registration")
def registration(work: Work, recipient: str, *, user_id: str) -> Context | None:
    """One mail: the code, and the password when it is generated (decisions D18)."""
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
    """An invitation with a generated password, whose use proves the address; else with a code that
    does (decisions D17)."""
    user = account_by_id(work, UUID(user_id))
    if user is None:
        return None
    if user.password_is_generated:
        password = generate_password(work, user)
        return {"code": None, "password": password, "minutes": None, "days": _days(work)}
    if user.is_email_verified:
        return None
    code = make_one_time_password(work, user, "email")
    return {"code": code, "password": None, "minutes": _minutes(work), "days": None}


@mail_template("accounts.email_code")
def email_code(work: Work, recipient: str) -> Context | None:
    """The code that proves an address; no mail for an unknown address and for a verified one
    (decisions D13)."""
    user = account_by_email(work, recipient)
    if user is None or user.is_email_verified:
        return None
    code = make_one_time_password(work, user, "email")
    return {"code": code, "minutes": _minutes(work)}


@mail_template("accounts.password_code")
def password_code(work: Work, recipient: str) -> Context | None:
    """The code to change a password; no mail for an unknown address and for a deactivated account
    (decisions D13)."""
    user = account_by_email(work, recipient)
    if user is None or not user.is_active:
        return None
    code = make_one_time_password(work, user, "password")
    return {"code": code, "minutes": _minutes(work)}


@mail_template("accounts.password_changed")
def password_changed(work: Work, recipient: str) -> Context:
    """So that an owner who did not do it hears of it."""
    return {"support": work.settings[ServiceSettings].support_email}


@mail_template("accounts.second_factor_changed")
def second_factor_changed(work: Work, recipient: str) -> Context | None:
    """So that an owner who did not do it hears of it."""
    user = account_by_email(work, recipient)
    if user is None:
        return None
    is_set_up = second_factor.is_confirmed(work, user)
    return {"is_set_up": is_set_up, "support": work.settings[ServiceSettings].support_email}


def _minutes(work: Work) -> int:
    return work.settings[AccountsSettings].otp_minutes


def _days(work: Work) -> int:
    return work.settings[AccountsSettings].generated_password_days
