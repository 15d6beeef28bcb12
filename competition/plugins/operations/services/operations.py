"""List and change flags, API keys, jobs and emails, like the command line."""

from collections.abc import Collection
from datetime import timedelta

from sqlalchemy import select

from competition.core import flags, job_control, repeats
from competition.core.auth.access import KeyScope
from competition.core.errors import Invalid, existing
from competition.core.flags import FlagDefinition
from competition.core.jobs.models import Job
from competition.core.limits.counters import GeneralRates, KeyRates
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.mail import mails
from competition.core.mail.models import Mail
from competition.core.messages import Message
from competition.core.texts import email_form
from competition.core.users import api_keys
from competition.core.users.credentials import ApiKey
from competition.core.work import Work

CREATE_KEY = "api_key.create"
KEY_ORDERING = {"id": ApiKey.id, "created_at": ApiKey.created_at}
JOB_ORDERING = {"id": Job.id, "created_at": Job.created_at}
MAIL_ORDERING = {"id": Mail.id, "recipient": Mail.recipient, "created_at": Mail.created_at}


def switch_flag(work: Work, name: str, to: bool) -> tuple[FlagDefinition, bool]:
    """Switch a flag. Raises NotFound if there is no such flag."""
    flags.switch(work, name, to)
    return work.runtime.catalogue[FlagDefinition][name], to


def page_of_keys(work: Work, query: Query) -> Page[ApiKey]:
    wanted = contains_every_word(query["search"], ApiKey.name)
    return paginate(
        work,
        select(ApiKey).where(*wanted),
        query,
        key=ApiKey.id,
        created=ApiKey.created_at,
        ordering=KEY_ORDERING,
    )


def key_rates(work: Work) -> list[tuple[str, GeneralRates]]:
    """The sets of rate limits that an API key can have instead of those of the service, each with
    its name, in the order of the names."""
    known = work.runtime.catalogue[KeyRates]
    return [(name, known[name].rates(work.settings)) for name in sorted(known)]


def create_key(
    work: Work,
    name: str,
    scopes: Collection[KeyScope],
    days: int | None,
    rates: str | None = None,
    idempotency_key: str | None = None,
) -> tuple[ApiKey, str]:
    """Create an API key, and return it with its secret. `rates` names one of the sets of rate
    limits that `key_rates` returns; None means the limits of the service.

    A repeated request with the same idempotency key returns the same API key and secret. For that,
    the secret is stored for a few days, encrypted: it can only be read with the idempotency key.

    Raises Invalid if the name is taken, or if there are no rate limits named `rates`. Raises
    IdempotencyKeyReused if the idempotency key was used for another API key.
    """
    content = {"name": name, "scopes": sorted(scopes), "days": days, "rates": rates}
    purpose = f"{CREATE_KEY} {idempotency_key}"

    def create() -> str:
        secret = _create_key(work, name, scopes, days, rates)
        return work.runtime.keyring.encrypt(purpose, secret)

    made = repeats.once(work, CREATE_KEY, idempotency_key, content, create)
    secret = work.runtime.keyring.decrypt(purpose, made)
    digest = api_keys.digest_of(secret)
    return work.db.scalars(select(ApiKey).where(ApiKey.digest == digest)).one(), secret


def _create_key(
    work: Work, name: str, scopes: Collection[KeyScope], days: int | None, rates: str | None
) -> str:
    known = work.runtime.catalogue[KeyRates]
    if rates is not None and rates not in known:
        raise Invalid.field(
            "rates",
            Message(
                "There are no rate limits named ${name}. The names are: ${names}.",
                "unknown",
                name=repr(rates),
                names=sorted(known),
            ),
        )
    lifetime = None if days is None else timedelta(days=days)
    return api_keys.create(work, name, lifetime, scopes, rates)


def revoke_key(work: Work, key_id: int) -> None:
    """Revoke an API key. Revoking it again changes nothing. Raises NotFound if there is no such
    key."""
    key = existing(work.db.get(ApiKey, key_id))
    api_keys.revoke(work, key.name)


def page_of_jobs(work: Work, query: Query) -> Page[Job]:
    statement = select(Job).where(*contains_every_word(query["search"], Job.name))
    if query["state"]:
        statement = statement.where(Job.state == query["state"])
    return paginate(
        work, statement, query, key=Job.id, created=Job.created_at, ordering=JOB_ORDERING
    )


def retry_job(work: Work, job_id: int) -> Job:
    """Run a failed job again, with its full number of attempts.

    Raises NotFound if there is no such job, and Invalid if it has not failed.
    """
    job = existing(work.db.get(Job, job_id, with_for_update=True))
    if job.state != "failed":
        raise Invalid(
            Message("Only failed jobs can be run again. This job is ${state}.", state=job.state)
        )
    job_control.retry(work, job_id)
    work.db.flush()
    return job


def page_of_mails(work: Work, query: Query) -> Page[Mail]:
    statement = select(Mail).where(*contains_every_word(query["search"], Mail.template))
    if query["state"]:
        statement = statement.where(Mail.state == query["state"])
    if query["recipient"]:
        statement = statement.where(Mail.recipient == email_form(query["recipient"]))
    return paginate(
        work, statement, query, key=Mail.id, created=Mail.created_at, ordering=MAIL_ORDERING
    )


def resend_mail(work: Work, mail_id: int) -> Mail:
    """Send an email again. Secrets in it, such as a one-time password, are replaced.

    Raises NotFound if there is no such email, and Invalid if it is already waiting to be sent.
    """
    existing(work.db.get(Mail, mail_id))
    mails.resend(work, mail_id)
    return work.db.get_one(Mail, mail_id, populate_existing=True)
