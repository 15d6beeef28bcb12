"""Fill a slot of the list of a question's exams with how candidates answered the question."""

from collections.abc import Collection

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.analysis import presenters, services
from competition.plugins.exams.offered_slots import EXAM_OF_QUESTION


@fill_slot(EXAM_OF_QUESTION, "answers")
def answers(
    work: Work, keys: Collection[tuple[int, int]]
) -> dict[tuple[int, int], presenters.QuestionAnswers | None]:
    """The answers in exams that are sealed; None for other exams."""
    found = services.answers_to(work, keys)
    return {key: presenters.question_answers(*found[key]) if key in found else None for key in keys}
