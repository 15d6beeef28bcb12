from dataclasses import dataclass, field

from competition.core.work import Work


@dataclass
class QuestionsForExam:
    """Questions are to be imported into an exam, now or later.

    The plugin that has the exam sets `linked` to the questions that the exam already asks, and
    `is_known`. It raises an error if the exam's questions can't be changed. With `locks`, they stay
    as they are until the commit.
    """

    work: Work
    exam_id: int
    locks: bool
    is_known: bool = False
    linked: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class QuestionsImported:
    """Questions were imported into an exam, in this order. The exam was asked for before
    (`QuestionsForExam`), and has to add them."""

    work: Work
    exam_id: int
    question_ids: list[int]
