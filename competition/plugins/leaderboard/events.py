from dataclasses import dataclass

from competition.core.work import Work


@dataclass(frozen=True)
class BoardPublished:
    """A snapshot of all leaderboards, with their ranks, was written. Readers see it after the
    commit."""

    work: Work
    snapshot_id: int
