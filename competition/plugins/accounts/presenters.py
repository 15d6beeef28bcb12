from collections.abc import Sequence
from datetime import datetime
from typing import NotRequired, TypedDict
from uuid import UUID

from competition.core import flags
from competition.core.messages import Message
from competition.core.runtime import ServiceSettings
from competition.core.users.credentials import AuthSession
from competition.core.users.models import User
from competition.core.users.profiles import DocumentLinks, Profile, profile
from competition.core.users.sessions import TokenPair
from competition.core.work import Work
from competition.plugins.accounts import AccountsSettings, models

# How many characters of an address's local part a masked address shows.
CHARACTERS_SHOWN = 3


class RegistrationStatus(TypedDict):
    is_candidate_reg_open: bool
    is_staff_reg_open: bool
    support_email: str


class SchoolNames(TypedDict):
    """Names of schools that match the words which a candidate has typed."""

    results: list[str]


class AccountMessage(TypedDict):
    message: str


class CodeSent(TypedDict):
    """The reply to a request for a code. It is the same whether or not there is an account. Most of
    `email` is hidden."""

    message: str
    email: str
    expires_in_minutes: int


class Tokens(TypedDict):
    access: str
    refresh: str


class SessionShape(TypedDict):
    """A login whose tokens can still be refreshed. `device` is null if it is not known."""

    id: UUID
    device: str | None
    created_at: datetime
    refreshed_at: datetime
    current: bool


class Login(Tokens):
    profile: Profile


class SecondFactorStatus(TypedDict):
    is_set_up: bool
    recovery_codes_left: int


class SecondFactorSecret(TypedDict):
    """The secret for an authenticator app. Show `otpauth_url` as a QR code, or `secret` as text."""

    secret: str
    otpauth_url: str


class RecoveryCodes(TypedDict):
    """Codes that can each be used once instead of a code from the app. They can't be read again."""

    recovery_codes: list[str]


class SchoolSlip(TypedDict):
    """The values on a pupil's slip.

    `code` is the code that this request has created, or null if it created none. Without `renew`,
    pupils who already have a valid code get none. With `unused`, pupils who have signed in get
    none, even with `renew`, and `used` says whether the pupil has signed in.
    """

    user_id: UUID
    full_name: str
    year: int | None
    group: str
    login: str
    code: str | None
    used: NotRequired[bool]


class SchoolSlips(TypedDict):
    """The login slips of pupils of a school."""

    slips: list[SchoolSlip]


class Slip(SchoolSlip):
    school: str


class Slips(TypedDict):
    slips: list[Slip]


def slips_of_school(found: Sequence[models.Slip]) -> SchoolSlips:
    return SchoolSlips(slips=[_slip(each) for each in found])


def slips_of_candidates(found: Sequence[models.Slip]) -> Slips:
    return Slips(
        slips=[Slip(**_slip(each), school=each.candidate.counted_school) for each in found]
    )


def _slip(slip: models.Slip) -> SchoolSlip:
    shown = SchoolSlip(
        user_id=slip.candidate.id,
        full_name=slip.candidate.full_name,
        year=slip.candidate.year,
        group=slip.candidate.group,
        login=slip.login,
        code=slip.code,
    )
    if slip.is_used is not None:
        shown["used"] = slip.is_used
    return shown


def registration_status(work: Work) -> RegistrationStatus:
    return RegistrationStatus(
        is_candidate_reg_open=flags.enabled(work, "candidate_registration"),
        is_staff_reg_open=flags.enabled(work, "staff_registration"),
        support_email=work.settings[ServiceSettings].support_email,
    )


def code_sent(work: Work, email: str) -> CodeSent:
    """The reply to a request for a code, the same whether or not the account exists (decisions
    D13)."""
    return CodeSent(
        message=Message("If there is a matching account, a code has been sent to this address."),
        email=masked(email),
        expires_in_minutes=work.settings[AccountsSettings].otp_minutes,
    )


def masked(email: str) -> str:
    """The address with most of it hidden, such as ``ada***@example.org`` (decisions D14)."""
    local, _, domain = email.rpartition("@")
    return f"{local[:CHARACTERS_SHOWN]}***@{domain}"


def tokens(pair: TokenPair) -> Tokens:
    return Tokens(access=pair.access, refresh=pair.refresh)


def login(work: Work, pair: TokenPair, user: User, links: DocumentLinks) -> Login:
    return Login(access=pair.access, refresh=pair.refresh, profile=profile(work, user, links))


def session(work: Work, row: AuthSession) -> SessionShape:
    return SessionShape(
        id=row.id,
        device=row.device,
        created_at=row.created_at,
        refreshed_at=row.refreshed_at,
        current=row.id == work.identity.session_id,
    )
