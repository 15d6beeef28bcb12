"""What is over and done with goes after a while."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import ClassVar

from sqlalchemy import and_, delete, or_, select

from competition.core.auth.tokens import TokenSettings
from competition.core.jobs import task
from competition.core.models import AuthSession, Job, Mail, User
from competition.core.settings import setting
from competition.core.work import Work

FILE_COLUMNS = (
    User.face_id,
    User.id_card,
    User.verification_document,
    User.profile_picture,
)


@dataclass(frozen=True, kw_only=True)
class HousekeepingSettings:
    """How long things are kept after they ended, in days; `orphan_hours` is how old a stored file
    is before it can be taken for one that nobody refers to."""

    prefix: ClassVar[str] = "competition.housekeeping"
    job_days: int = setting(7, minimum=1)
    failed_job_days: int = setting(90, minimum=1)
    mail_days: int = setting(90, minimum=1)
    session_days: int = setting(30, minimum=1)
    orphan_hours: int = setting(24, minimum=1)


@task("core.housekeeping", every=timedelta(hours=1))
def delete_what_is_over(work: Work) -> None:
    settings = work.settings[HousekeepingSettings]

    def ago(days: int) -> datetime:
        return work.now - timedelta(days=days)

    work.db.execute(
        delete(Job).where(
            or_(
                and_(Job.state == "done", Job.finished_at < ago(settings.job_days)),
                and_(Job.state == "failed", Job.finished_at < ago(settings.failed_job_days)),
            )
        )
    )
    work.db.execute(
        delete(Mail).where(Mail.state != "pending", Mail.created_at < ago(settings.mail_days))
    )
    ended = ago(settings.session_days)
    refreshable = timedelta(seconds=work.settings[TokenSettings].refresh_lifetime)
    work.db.execute(
        delete(AuthSession).where(
            or_(
                AuthSession.revoked_at < ended,
                AuthSession.refreshed_at + refreshable < ended,
            )
        )
    )


@task("core.delete_orphans", every=timedelta(days=1))
def delete_orphans(work: Work) -> None:
    """Files of transactions that failed in a way that could not be undone at once."""
    hours = work.settings[HousekeepingSettings].orphan_hours
    for keys in _batches(work.storage.keys(before=work.now - timedelta(hours=hours))):
        for key in set(keys) - _referred_to(work, keys):
            work.storage.delete(key)


def _batches(keys: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(keys)
    while batch := list(islice(rest, 1000)):
        yield batch


def _referred_to(work: Work, keys: Collection[str]) -> set[str]:
    found: set[str] = set()
    for column in FILE_COLUMNS:
        in_use = work.db.scalars(select(column).where(column.in_(keys)))
        found.update(key for key in in_use if key is not None)
    return found
