"""Add imported questions to the draft of an exam (decisions G9)."""

from collections.abc import Sequence

from competition.core.errors import Invalid
from competition.core.messages import Message
from competition.core.work import Work
from competition.plugins.exams.services import links, papers, questions, rows


def linked(work: Work, exam_id: int, *, locks: bool) -> set[int]:
    """The ids of the questions in an exam's draft. With `locks`, nobody can change the draft until
    the commit.

    Raises NotFound if there is no such exam, SeasonClosed if its season is closed, and Invalid if
    its paper is frozen.
    """
    exam = rows.locked(work, exam_id) if locks else rows.check_current(rows.get(work, exam_id))
    if exam.first_started_at is not None or papers.frozen(work, exam_id) is not None:
        raise Invalid.field(
            "exam",
            Message(
                "The paper of this exam is frozen. If nobody has started the exam, unfreeze"
                " the paper. Otherwise leave the exam out."
            ),
        )
    return {*questions.of_draft(work, exam_id)}


def append(work: Work, exam_id: int, question_ids: Sequence[int]) -> None:
    """Append the questions that are not in the draft yet, in this order.

    Raises the errors of `linked`, and Invalid if the exam would get too many questions.
    """
    there = linked(work, exam_id, locks=True)
    new = [each for each in dict.fromkeys(question_ids) if each not in there]
    if problem := links.append(work, exam_id, new):
        raise Invalid(problem)
