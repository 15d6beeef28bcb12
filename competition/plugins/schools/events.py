from collections.abc import Collection
from dataclasses import dataclass

from competition.core.work import Work


@dataclass(frozen=True)
class SchoolDeleting:
    """A school without candidates is about to be deleted. Subscribers raise Invalid if they need
    it."""

    work: Work
    school_id: int


@dataclass
class SchoolsMerged:
    """Other schools are about to become a part of this one, in this transaction.

    Subscribers move their rows to it. They set how many teachers the school has itself, and how
    many it gets.
    """

    work: Work
    school_id: int
    merged_ids: Collection[int]
    own_teachers: int = 0
    moved_teachers: int = 0
