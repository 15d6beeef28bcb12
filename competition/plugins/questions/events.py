from dataclasses import dataclass, field

from competition.core.work import Work


@dataclass
class QuestionsForExam:
    """Questions are to be imported into an exam, now or later.

    The plugin that has the exam sets `is_known` to true, and `linked` to the ids of the questions
    that the exam already asks. It raises an error if the exam's questions can't be changed. If
    `locks` is true, it also keeps the exam's questions from changing until the commit.
    """

    work: Work
    exam_id: int
    locks: bool
    is_known: bool = False
    linked: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class QuestionsImported:
    """Questions were imported, to be added to an exam in this order. The plugin that has the exam
    adds them. The event `QuestionsForExam` was emitted for the exam before."""

    work: Work
    exam_id: int
    question_ids: list[int]
