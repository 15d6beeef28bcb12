"""Store questions of candidates who are taking an exam.

Each request first locks the candidate's attempt. So a question is stored either before or after a
submission of the same candidate, and two questions of a candidate are never counted at the same
time.
"""

from sqlalchemy import func, select

from competition.core import repeats
from competition.core.errors import Invalid, existing
from competition.core.messages import Message
from competition.core.work import Work
from competition.plugins.clarifications.models import Clarification
from competition.plugins.exams.services import papers
from competition.plugins.sittings.errors import ExamNotStarted
from competition.plugins.sittings.models import Attempt
from competition.plugins.sittings.services import taking

# How many open questions a candidate may have in an exam.
MOST_OPEN = 3


def check_sitting(work: Work, exam_id: int, idempotency_key: str | None = None) -> taking.Sitting:
    """Guard: lock the caller's attempt, after checking that they can work on the paper now.

    Raises NotFound if there is no such exam, ExamNotStarted if the caller has not started it,
    ExamAlreadySubmitted if they have submitted it, and ExamNotOpen if the time is over.
    """
    # A submission refers to the attempt, so this waits for a submission that is being stored.
    work.db.scalar(
        select(Attempt.exam_id)
        .where(Attempt.exam_id == exam_id, Attempt.candidate_id == work.identity.user_id)
        .with_for_update()
    )
    sitting = taking.find(work, exam_id)
    if sitting.started_at is None:
        raise ExamNotStarted
    taking.check_running(work, sitting)
    return sitting


def ask(
    work: Work,
    sitting: taking.Sitting,
    question_id: int | None,
    text: str,
    idempotency_key: str | None = None,
) -> Clarification:
    """Store a question of the caller. `sitting` is the result of `check_sitting`.

    A repeated request with the same idempotency key returns the question of the first request.

    Raises Invalid if the question is not in the paper, or if the caller already has MOST_OPEN open
    questions in this exam. Raises IdempotencyKeyReused if the key was used for another question,
    and NotFound if the question of the first request was deleted.
    """
    exam_id = sitting.exam.id
    clarification_id = repeats.once(
        work,
        f"clarification.ask {exam_id}",
        idempotency_key,
        {"question": question_id, "text": text},
        lambda: _ask(work, exam_id, question_id, text).id,
    )
    return existing(work.db.get(Clarification, clarification_id))


def _ask(work: Work, exam_id: int, question_id: int | None, text: str) -> Clarification:
    papers.check_question(work, exam_id, question_id)
    open_ones = select(func.count()).where(
        Clarification.exam_id == exam_id,
        Clarification.candidate_id == work.identity.user_id,
        Clarification.status == "open",
    )
    if (work.db.scalar(open_ones) or 0) >= MOST_OPEN:
        raise Invalid(
            Message(
                "${max} of your questions have not been answered yet. Wait for an answer before"
                " you ask again.",
                max=MOST_OPEN,
            )
        )
    asked = Clarification(
        exam_id=exam_id,
        candidate_id=work.identity.user_id,
        question_id=question_id,
        text=text,
        asked_at=work.now,
    )
    work.db.add(asked)
    work.db.flush()
    return asked
