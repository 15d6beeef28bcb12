"""The questions of an exam: in its frozen paper or, until a paper is frozen, in its draft."""

from collections.abc import Iterable

from sqlalchemy import delete, select

from competition.core.errors import Invalid
from competition.core.messages import Message
from competition.core.work import Work
from competition.plugins.exams.models import ExamQuestion, FrozenPaper
from competition.plugins.questions.models import Question
from competition.plugins.questions.services import locked_in_bank


def in_order(work: Work, exam_id: int, paper: FrozenPaper | None) -> list[int]:
    """The ids of the exam's questions, in the order of the frozen paper.

    If `paper` is None, they are the questions of the draft that are not archived, in its order.
    """
    if paper is not None:
        return list(paper.positions)
    return list(
        work.db.scalars(
            select(ExamQuestion.question_id)
            .join(Question, Question.id == ExamQuestion.question_id)
            .where(ExamQuestion.exam_id == exam_id, Question.archived_at.is_(None))
            .order_by(ExamQuestion.position)
        )
    )


def of_draft(work: Work, exam_id: int) -> list[int]:
    """The ids of the questions in the exam's draft, archived ones included, in its order."""
    drafted = select(ExamQuestion.question_id).where(ExamQuestion.exam_id == exam_id)
    return list(work.db.scalars(drafted.order_by(ExamQuestion.position)))


def set_draft(work: Work, exam_id: int, question_ids: Iterable[int]) -> list[int]:
    """Replace the draft's questions, and return the new ids without duplicates.

    The exam's row must be locked. Raises Invalid if questions don't exist or are archived; the
    error names each of them.
    """
    wanted = list(dict.fromkeys(question_ids))
    known = locked_in_bank(work, wanted)
    errors = {
        str(index): [
            Message(
                "There is no question ${id} in the bank. Leave it out, or correct the id.",
                "unknown",
                id=question_id,
            )
        ]
        for index, question_id in enumerate(wanted)
        if question_id not in known
    }
    if errors:
        raise Invalid(
            Message(
                "Some questions are not in the bank. Leave out the questions that `errors` names."
            ),
            errors={"questions": errors},
        )
    work.db.execute(delete(ExamQuestion).where(ExamQuestion.exam_id == exam_id))
    work.db.add_all(
        ExamQuestion(exam_id=exam_id, question_id=question_id, position=position)
        for position, question_id in enumerate(wanted)
    )
    work.db.flush()
    return wanted
