"""The counts of accounts. They have no table of their own, because core stores them as aggregates
(`competition.core.jobs.aggregates`)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from competition.core.rounding import rounded

# The period that counts as recent in the totals of the dashboard.
RECENT = timedelta(days=7)


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
    """Counts of candidates. `active` counts accounts that are not deactivated, and `recent` counts
    registrations in the last 7 days (decisions G33)."""

    total: int
    active: int
    verified: int
    recent: int
    by_role: dict[str, int]

    @property
    def verification_rate(self) -> float:
        """The share of verified candidates, in percent, with one decimal."""
        return rounded(100 * self.verified / self.total, 1) if self.total else 0.0
