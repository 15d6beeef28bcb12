from collections.abc import Collection
from dataclasses import dataclass

from competition.core.work import Work


@dataclass(frozen=True)
class SchoolDeleting:
    """A school without candidates is about to be deleted. Subscribers raise Invalid if they still
    need the school."""

    work: Work
    school_id: int


@dataclass
class SchoolsMerged:
    """The schools `merged_ids` are about to be merged into the school `school_id`, in this
    transaction.

    Subscribers move their rows from the merged schools to this school. A plugin with teachers sets
    `own_teachers`, how many the school already has, and `moved_teachers`, how many it gets.
    """

    work: Work
    school_id: int
    merged_ids: Collection[int]
    own_teachers: int = 0
    moved_teachers: int = 0
