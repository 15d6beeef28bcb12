"""The paper before anybody starts: fixed, taken back, seen.

A fixed paper fixes the questions and nothing else: what an exam may still be is decided by whether
somebody has started it (decisions G9, G10, L8), which `exam.first_started_at` and attempts say.
"""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete

from competition.core import audit
from competition.core.errors import Invalid
from competition.core.work import Work
from competition.plugins.exams.models import Exam, Paper
from competition.plugins.exams.services import papers, questions
from competition.plugins.questions import services as bank
from competition.plugins.questions.presenters import paper_question
from competition.plugins.sittings.models import AttemptTime, Clock
from competition.plugins.sittings.services import clock

NO_EXTRA_TIME = timedelta()


@dataclass(frozen=True)
class Shown:
    paper: Paper
    clock: Clock
    attempt: AttemptTime


def prepare(work: Work, exam: Exam) -> None:
    """Freeze the paper of a locked exam; one that is frozen stays as it is. Raises Invalid without
    a question."""
    if papers.frozen(work, exam.id) is not None:
        return
    if not questions.in_order(work, exam.id, None):
        raise Invalid("The exam has no questions.")
    papers.freeze(work, exam)
    audit.record(work, "exam.prepare", subject=f"exam {exam.id}")


def take_back(work: Work, exam: Exam) -> None:
    """The paper of a locked exam is a draft again. Raises Invalid when somebody has started."""
    if exam.first_started_at is not None:
        raise Invalid("Somebody has started this exam already.")
    taken = delete(Paper).where(Paper.exam_id == exam.id).returning(Paper.exam_id)
    if work.db.scalar(taken) is not None:
        audit.record(work, "exam.take_back_preparation", subject=f"exam {exam.id}")


def as_seen(work: Work, exam_id: int) -> Paper:
    """The paper that is frozen, or that would be, now."""
    if (frozen := papers.frozen(work, exam_id)) is not None:
        return frozen
    # Archived questions are left out here, and would be left out there.
    found = bank.of_ids(work, questions.in_order(work, exam_id, None))
    return Paper(
        exam_id=exam_id,
        question_ids=[each.id for each in found],
        questions=[paper_question(each) for each in found],
        answer_key="".join(each.correct_answer for each in found),
    )


def as_if_started(work: Work, exam: Exam) -> Shown:
    """What somebody gets who starts now, with the whole countdown."""
    deadline = work.now + timedelta(minutes=exam.countdown_minutes)
    attempt = AttemptTime(work.now, deadline, deadline + clock.grace(work))
    time = Clock(exam, work.now, NO_EXTRA_TIME, is_submitted=False, attempt=attempt)
    return Shown(as_seen(work, exam.id), time, attempt)
