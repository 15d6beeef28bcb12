from dataclasses import dataclass

from competition.core.work import Work


@dataclass(frozen=True)
class ExamChanged:
    """Organisers edited or concluded an exam; an edit that changes nothing is none. `changed` are
    columns, and the questions."""

    work: Work
    exam_id: int
    changed: tuple[str, ...] = ("questions",)


@dataclass(frozen=True)
class PaperFrozen:
    """The questions of an exam are fixed from now on, as every candidate gets them."""

    work: Work
    exam_id: int
