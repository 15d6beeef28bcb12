"""Counts of accounts: candidates and staff by status, and how many there are of each kind."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pyramid.config import Configurator
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Identity,
    Select,
    String,
    func,
    select,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.auth.access import CandidateRole
from competition.core.auth.identity import Kind
from competition.core.database import Base
from competition.core.jobs import aggregates
from competition.core.jobs.aggregates import Aggregate
from competition.core.jobs.tasks import task
from competition.core.users.models import Candidate, User
from competition.core.work import Work

RECENT = timedelta(days=7)


class UserCount(Base):
    """So many accounts of a kind more, or fewer: triggers of "user" write a row for each statement
    that adds or removes some, so that nobody waits for anybody else's, and `recount` makes one row
    of them. The sum is exact, for whoever asks: what they see of the rows is what they see of the
    accounts (docs/decisions/0037-kept-counts.md)."""

    __tablename__ = "user_count"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    kind: Mapped[Kind] = mapped_column(String(10))
    change: Mapped[int]


def how_many(*conditions: ColumnElement[bool]) -> Select[int]:
    """How many accounts there are; the conditions are of UserCount.kind."""
    return select(func.coalesce(func.sum(UserCount.change), 0)).where(*conditions)


@dataclass(frozen=True)
class Headcount:
    """How many accounts are in each status (decisions F10)."""

    active: int = 0
    inactive: int = 0
    pending: int = 0
    deactivated: int = 0

    @property
    def registered(self) -> int:
        return self.not_deactivated + self.deactivated

    @property
    def not_deactivated(self) -> int:
        """How many accounts have `is_active` true, which is every status but `deactivated`."""
        return self.active + self.inactive + self.pending


@dataclass(frozen=True)
class AccountCounts:
    candidates: Headcount
    staff: Headcount
    generated_at: datetime

    @property
    def total_users(self) -> int:
        return self.candidates.registered + self.staff.registered

    @property
    def active_users(self) -> int:
        return self.candidates.not_deactivated + self.staff.not_deactivated


@dataclass(frozen=True)
class CandidateCounts:
    """Counts of candidates. `active` are accounts that are not deactivated, `recent` those of the
    last 7 days (decisions G33)."""

    total: int
    active: int
    verified: int
    recent: int
    by_role: dict[str, int]

    @property
    def verification_rate(self) -> float:
        """Verified candidates among all, in percent."""
        return round(100 * self.verified / self.total, 1) if self.total else 0.0


def account_counts(work: Work) -> AccountCounts:
    """The counts of all accounts, at most a minute old."""
    return ACCOUNTS.read(work)


def account_counts_if_ready(work: Work) -> AccountCounts | None:
    """As `account_counts`, but None instead of waiting for another transaction that is counting."""
    return ACCOUNTS.read_if_ready(work)


def candidate_counts(work: Work) -> CandidateCounts:
    """The counts of candidates, computed now."""
    rows = work.db.execute(
        select(
            Candidate.role,
            func.count(),
            func.count().filter(Candidate.is_active),
            func.count().filter(Candidate.verification == "approved"),
            func.count().filter(Candidate.date_joined >= work.now - RECENT),
        ).group_by(Candidate.role)
    ).all()
    in_role = {row[0]: row[1] for row in rows}
    _, total, active, verified, recent = zip(*rows, strict=True) if rows else ((),) * 5
    return CandidateCounts(
        total=sum(total),
        active=sum(active),
        verified=sum(verified),
        recent=sum(recent),
        by_role={role.value: in_role.get(role, 0) for role in CandidateRole},
    )


def _count_accounts(work: Work) -> AccountCounts:
    rows = work.db.execute(
        select(User.kind, User.status, func.count()).group_by(User.kind, User.status)
    )
    found: dict[str, dict[str, int]] = {"candidate": {}, "staff": {}}
    for kind, status, count in rows:
        found[kind][status] = count
    return AccountCounts(
        candidates=Headcount(**found["candidate"]),
        staff=Headcount(**found["staff"]),
        generated_at=work.now,
    )


ACCOUNTS = Aggregate("core.accounts", AccountCounts, _count_accounts)

# Of one moment: what has not been committed by then is neither counted nor forgotten.
RECOUNT = text("""
    with forgotten as (delete from user_count)
    insert into user_count (kind, change) select kind, count(*) from "user" group by kind
""")


def recount(work: Work) -> None:
    """Put the counted accounts in the place of all changes; right also after triggers were off, as
    while a backup's rows are read in."""
    # Two at once would forget once and count twice.
    work.lock("core.user_count")
    work.db.execute(RECOUNT)


@task("core.headcounts", every=aggregates.REFRESHED_EVERY)
def refresh(work: Work) -> None:
    ACCOUNTS.refresh(work)
    recount(work)


def includeme(config: Configurator) -> None:
    config.scan(__name__)
