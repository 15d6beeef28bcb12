from dataclasses import dataclass

from competition.core.work import Work

# The columns of an exam on which the deadlines of attempts depend.
MOVING = {"scheduled_date", "open_duration_hours", "closes_at", "countdown_minutes", "is_active"}


@dataclass(frozen=True)
class ExamChanged:
    """An exam was edited or concluded, or its questions were changed.

    `changed` has the names of the changed columns, and "questions" if the questions were changed.
    An edit that changes nothing emits no event.
    """

    work: Work
    exam_id: int
    changed: tuple[str, ...] = ("questions",)

    @property
    def moves_deadlines(self) -> bool:
        """Whether the change may move the deadlines of attempts."""
        return not MOVING.isdisjoint(self.changed)


@dataclass(frozen=True)
class ExamDeleting:
    """A locked exam is about to be deleted, or hidden. A subscriber can prevent that by raising
    Invalid."""

    work: Work
    exam_id: int


@dataclass(frozen=True)
class PaperFrozen:
    """The paper of an exam was frozen: from now on its questions are fixed."""

    work: Work
    exam_id: int
