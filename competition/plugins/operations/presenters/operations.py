from datetime import datetime
from typing import TypedDict

from competition.core.auth.access import KeyScope
from competition.core.flags import FlagDefinition
from competition.core.jobs import models as jobs
from competition.core.jobs.models import JobState
from competition.core.limits import counters
from competition.core.lists import Page, Pagination
from competition.core.mail import models as mails
from competition.core.mail.models import MailState
from competition.core.users import api_keys, credentials


class Flag(TypedDict):
    """A feature that can be switched on or off without a restart."""

    name: str
    description: str
    enabled: bool
    default: bool


class ApiKey(TypedDict):
    """The key of a client application. `prefix` is the beginning of the secret, by which people
    recognise the key. `rates` names the rate limits of requests with the key; if it is null, the
    limits of the service apply."""

    id: int
    name: str
    prefix: str
    scopes: list[KeyScope]
    rates: str | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


class NewApiKey(ApiKey):
    """A key that has just been created. `key` is the secret, which can't be shown again."""

    key: str


class ApiKeyList(TypedDict):
    results: list[ApiKey]
    pagination: Pagination


class Rate(TypedDict):
    limit: int
    seconds: int


class KeyRates(TypedDict):
    """Rate limits that an API key can have instead of those of the service."""

    name: str
    authenticated: list[Rate]
    anonymous: list[Rate]
    address: list[Rate]


class Job(TypedDict):
    """One run of a background task."""

    id: int
    name: str
    state: JobState
    attempts: int
    last_error: str | None
    run_after: datetime
    created_at: datetime
    finished_at: datetime | None


class JobList(TypedDict):
    results: list[Job]
    pagination: Pagination


class Mail(TypedDict):
    """An email, without its text, which is never stored."""

    id: int
    template: str
    recipient: str
    state: MailState
    tries: int
    last_error: str | None
    created_at: datetime
    sent_at: datetime | None


class MailList(TypedDict):
    results: list[Mail]
    pagination: Pagination


def flag(definition: FlagDefinition, enabled: bool) -> Flag:
    return Flag(
        name=definition.name,
        description=definition.description,
        enabled=enabled,
        default=definition.default,
    )


def api_key(row: credentials.ApiKey) -> ApiKey:
    return ApiKey(
        id=row.id,
        name=row.name,
        prefix=row.prefix,
        scopes=sorted(KeyScope(each) for each in api_keys.opened_by(row.scopes)),
        rates=row.rates,
        created_at=row.created_at,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
    )


def new_api_key(row: credentials.ApiKey, secret: str) -> NewApiKey:
    return NewApiKey(**api_key(row), key=secret)


def api_key_list(page: Page[credentials.ApiKey], url: str) -> ApiKeyList:
    return ApiKeyList(results=[api_key(row) for row in page.items], pagination=page.pagination(url))


def job(row: jobs.Job) -> Job:
    return Job(
        id=row.id,
        name=row.name,
        state=row.state,
        attempts=row.attempts,
        last_error=row.last_error,
        run_after=row.run_after,
        created_at=row.created_at,
        finished_at=row.finished_at,
    )


def job_list(page: Page[jobs.Job], url: str) -> JobList:
    return JobList(results=[job(row) for row in page.items], pagination=page.pagination(url))


def mail(row: mails.Mail) -> Mail:
    return Mail(
        id=row.id,
        template=row.template,
        recipient=row.recipient,
        state=row.state,
        tries=row.tries,
        last_error=row.last_error,
        created_at=row.created_at,
        sent_at=row.sent_at,
    )


def mail_list(page: Page[mails.Mail], url: str) -> MailList:
    return MailList(results=[mail(row) for row in page.items], pagination=page.pagination(url))


def key_rates(name: str, rates: counters.GeneralRates) -> KeyRates:
    return KeyRates(
        name=name,
        authenticated=_rates(rates.authenticated),
        anonymous=_rates(rates.anonymous),
        address=_rates(rates.address),
    )


def _rates(rates: counters.Rates) -> list[Rate]:
    return [Rate(limit=each.limit, seconds=each.seconds) for each in rates]
