"""Decide which answers are withheld, and from whom, although an exam is published.

As long as another exam can be taken that asks the same question, nobody sees its right answer
(`still_asked`), and only the candidates themselves see their own answers (`hidden_answers`).
"""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import and_, exists, or_, select
from sqlalchemy.orm import aliased

from competition.core.work import Work
from competition.plugins.exams.models import Exam, ExamQuestion
from competition.plugins.sittings.models import Attempt


def still_asked(work: Work, exam_id: int) -> set[int]:
    """The ids of the questions of an exam that are also in another exam that can still be taken.

    The other exam is scheduled or open, or a candidate has started it and it is not sealed. Until
    it is sealed, staff can open it again, or give extra time to candidates who have started it. The
    correct answers to these questions must not be shown, even though this exam is published.
    """
    here, there = aliased(ExamQuestion), ExamQuestion
    is_started = exists().where(Attempt.exam_id == Exam.id)
    can_be_taken = or_(
        Exam.has_status("scheduled", work.now),
        Exam.has_status("ongoing", work.now),
        and_(Exam.sealed_at.is_(None), is_started),
    )
    return set(
        work.db.scalars(
            select(there.question_id)
            .join(Exam, Exam.id == there.exam_id)
            .join(here, here.question_id == there.question_id)
            .where(here.exam_id == exam_id, Exam.id != exam_id)
            .where(Exam.deleted_at.is_(None), can_be_taken)
        )
    )


def hidden_answers(
    work: Work, candidate_id: UUID, asked: Collection[int], still_asked: Collection[int]
) -> Collection[int]:
    """The ids of the questions whose answers by this candidate the caller may not see. `asked` are
    all questions of the exam, and `still_asked` those whose right answer is withheld.

    The answers of the best candidates are as good as the answer key. So while any right answer is
    withheld, other candidates see none of the answers, and staff don't see the answers to the
    withheld questions.
    """
    if candidate_id == work.identity.user_id or not still_asked:
        return ()
    return asked if work.identity.kind == "candidate" else still_asked
