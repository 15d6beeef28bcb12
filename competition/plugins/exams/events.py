from dataclasses import dataclass

from competition.core.work import Work


@dataclass(frozen=True)
class ExamChanged:
    """Organisers edited an exam, its questions too, or concluded it: deadlines may have moved. An
    edit that changes nothing is none."""

    work: Work
    exam_id: int


@dataclass(frozen=True)
class PaperFrozen:
    """The questions of an exam are fixed from now on, as every candidate gets them."""

    work: Work
    exam_id: int
