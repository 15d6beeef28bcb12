"""Counts of accounts: how many candidates and staff have each status.

These counts have no table of their own. `competition.core.jobs.aggregates` stores
`ACCOUNTS`, at most a minute old. `candidate_counts` counts at each call.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from competition.core.auth.access import CandidateRole
from competition.core.days import RECENT
from competition.core.jobs.aggregates import Aggregate
from competition.core.rounding import rounded
from competition.core.users.models import Candidate, User
from competition.core.work import Work


@dataclass(frozen=True)
class Headcount:
    """How many accounts are in each status (decisions F10). Accounts in the status `inactive` can
    log in, but are not verified yet, and no documents are waiting for a decision."""

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
    """Counts of candidates. `active` counts accounts that are not deactivated, `verified` counts
    approved identities, and `recent` counts registrations in the last 7 days (decisions G33).
    `by_role` has the number of candidates in each role."""

    total: int
    active: int
    verified: int
    recent: int
    by_role: dict[str, int]

    @property
    def verification_rate(self) -> float:
        """The share of verified candidates, in percent, with one decimal."""
        return rounded(100 * self.verified / self.total, 1) if self.total else 0.0


def candidate_counts(work: Work) -> CandidateCounts:
    """The counts of candidates, computed now."""
    rows = work.db.execute(
        select(
            Candidate.role,
            func.count(),
            func.count().filter(Candidate.is_active),
            func.count().filter(Candidate.is_user_verified),
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
