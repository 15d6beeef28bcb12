"""Freeze the paper of an exam before anyone starts it, undo the freezing, and preview the paper.

Freezing fixes only the questions. Whether anything else about the exam can still be changed depends
on whether a candidate has started it (decisions G9, G10, L8): see `exam.first_started_at` and the
attempts.
"""

from datetime import timedelta

from sqlalchemy import delete

from competition.core import audit
from competition.core.errors import Invalid
from competition.core.messages import Message
from competition.core.work import Work
from competition.plugins.exams.models import Exam, FrozenPaper, Paper
from competition.plugins.exams.services import papers, questions
from competition.plugins.questions import services as bank
from competition.plugins.questions.presenters import paper_question
from competition.plugins.sittings.models import AttemptTime, Clock
from competition.plugins.sittings.services import clock

NO_EXTRA_TIME = timedelta()


def prepare(work: Work, exam: Exam) -> None:
    """Freeze the paper of a locked exam, unless it is frozen already.

    Raises Invalid if the exam has no questions.
    """
    if papers.frozen(work, exam.id) is not None:
        return
    if not questions.in_order(work, exam.id, None):
        raise Invalid(Message("The exam has no questions. Add questions to it."))
    papers.freeze(work, exam)
    audit.record(work, "exam.prepare", subject=f"exam {exam.id}")


def take_back(work: Work, exam: Exam) -> None:
    """Turn the frozen paper of a locked exam back into a draft.

    Raises Invalid if a candidate has started the exam.
    """
    if exam.first_started_at is not None:
        raise Invalid(
            Message("A candidate has already started this exam, so its paper stays frozen.")
        )
    taken = delete(Paper).where(Paper.exam_id == exam.id).returning(Paper.exam_id)
    if work.db.scalar(taken) is not None:
        audit.record(work, "exam.take_back_preparation", subject=f"exam {exam.id}")


def as_seen(work: Work, exam_id: int) -> FrozenPaper:
    """The frozen paper, or the paper as it would be frozen now."""
    if (frozen := papers.frozen(work, exam_id)) is not None:
        return frozen
    # `in_order` leaves out archived questions, as freezing would.
    found = bank.of_ids(work, questions.in_order(work, exam_id, None))
    return FrozenPaper(
        exam_id=exam_id,
        question_ids=[each.id for each in found],
        stored=[paper_question(each) for each in found],
        answer_key="".join(each.correct_answer for each in found),
        frozen_at=None,
        api_url=work.runtime.api_url,
    )


def as_if_started(work: Work, exam: Exam) -> tuple[Clock, AttemptTime, FrozenPaper]:
    """The clock, the attempt and the paper of a candidate who starts now and has the full
    countdown."""
    deadline = work.now + timedelta(minutes=exam.countdown_minutes)
    attempt = AttemptTime(work.now, deadline, deadline + clock.grace(work))
    time = Clock(exam, work.now, NO_EXTRA_TIME, is_submitted=False, attempt=attempt)
    return time, attempt, as_seen(work, exam.id)
