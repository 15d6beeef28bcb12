"""Logins of accounts without an email address: such an account has its login at `SLIP_DOMAIN` as
its email."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, or_

from competition.core.texts import email_form, slip_form
from competition.core.users.models import SLIP_DOMAIN, Candidate, User

LOGIN_LENGTH = 6
# The longest text that is read as a login, in characters. It is longer than a login, because people
# may type separators between the letters and digits.
LONGEST_TYPED = 100


def address_of(typed: str) -> str:
    """The stored form of the address or login that a user has typed to log in.

    For an email address, this is the form in which addresses are stored (`email_form`). For a
    login, with or without the domain, it is the login at `SLIP_DOMAIN`. Upper and lower case,
    hyphens and spaces in a login make no difference. A full-width @ and a dot at the end are
    corrected, because the keyboards of telephones may write them; no new address can have them.
    """
    text = typed.strip()
    if len(text) > LONGEST_TYPED:
        return email_form(text)
    with_at = text if "@" in text else text.replace("\uff20", "@")
    form = email_form(with_at).removesuffix(".")
    local, at, domain = form.rpartition("@")
    login = slip_form(local if at else text)
    is_login = domain.strip() == SLIP_DOMAIN if at else len(login) == LOGIN_LENGTH
    return f"{login}@{SLIP_DOMAIN}" if is_login and login else form


def login_of(email: str) -> str | None:
    """The login of an account without email; None for an account with an email address."""
    login, _, domain = email.rpartition("@")
    return login if domain == SLIP_DOMAIN else None


def password_of(email: str, typed: str) -> str:
    """The form of a typed password that is hashed and compared.

    The password of an account without email is the code on its slip. In this code, upper and lower
    case, hyphens and spaces make no difference. Other passwords are returned unchanged.
    """
    return typed if login_of(email) is None else slip_form(typed)


def has_code(now: datetime, account: User | Row[Any]) -> bool:
    """Whether the account has a code or password that is valid at this time."""
    ends_at = account.password_ends_at if account.password_is_generated else None
    return account.password_hash != "" and (ends_at is None or ends_at > now)


def needs_code(now: datetime) -> ColumnElement[bool]:
    """SQL condition on Candidate: whether the candidate has no email address, and no code or
    password that is valid at this time."""
    has_ended = and_(Candidate.password_is_generated, Candidate.password_ends_at <= now)
    return and_(~Candidate.has_email, or_(Candidate.password_hash == "", has_ended))
