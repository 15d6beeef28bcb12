from dataclasses import dataclass

from competition.core.work import Work


@dataclass(frozen=True)
class BoardPublished:
    """A snapshot of all boards was written, with its ranks; readers see it after the commit."""

    work: Work
    snapshot_id: int
