"""Counts of accounts: how many candidates and staff have each status."""

from sqlalchemy import func, select

from competition.core.auth.access import CandidateRole
from competition.core.jobs.aggregates import Aggregate
from competition.core.users.models import Candidate, User
from competition.core.work import Work
from competition.plugins.dashboards.models import (
    RECENT,
    AccountCounts,
    CandidateCounts,
    Headcount,
)


def account_counts(work: Work) -> AccountCounts:
    """The counts of all accounts, at most a minute old."""
    return ACCOUNTS.read(work)


def account_counts_if_ready(work: Work) -> AccountCounts | None:
    """The counts of all accounts, or None if another transaction is just computing them."""
    return ACCOUNTS.read_if_ready(work)


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


ACCOUNTS = Aggregate("dashboards.accounts", AccountCounts, _count_accounts)
