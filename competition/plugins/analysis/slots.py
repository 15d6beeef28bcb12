"""Add to each exam in the list of a question's exams how candidates answered the question."""

from collections.abc import Collection

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.analysis import presenters, services
from competition.plugins.exams.offered_slots import EXAM_OF_QUESTION


@fill_slot(EXAM_OF_QUESTION, "answers")
def answers(
    work: Work, keys: Collection[tuple[int, int]]
) -> dict[tuple[int, int], presenters.QuestionAnswers | None]:
    """How candidates answered each question in each exam, by the pair of their ids.

    `keys` has pairs of an exam's id and a question's id. The value is None if the exam is not
    sealed, or has no submissions.
    """
    found = services.answers_to(work, keys)
    return {key: presenters.question_answers(*found[key]) if key in found else None for key in keys}
