"""What candidates do: open the paper, hand in the answers.

A submission is stored whole or not at all, exactly once: the primary key of `submission` decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from competition.core.errors import NotFound
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.errors import ExamNotOpen
from competition.plugins.exams.models import Exam, Paper
from competition.plugins.exams.services import papers, rows
from competition.plugins.sittings.errors import ExamAlreadySubmitted, ExamNotEligible
from competition.plugins.sittings.events import SubmissionsStored
from competition.plugins.sittings.models import Attempt, Submission
from competition.plugins.sittings.services import clock
from competition.plugins.sittings.services.answers import pack


@dataclass(frozen=True)
class Sitting:
    """An exam and where its caller stands in it; `extra` is time beyond what everybody has."""

    exam: Exam
    started_at: datetime | None
    extra: timedelta
    submitted_at: datetime | None


@dataclass(frozen=True)
class OpenedPaper:
    """What a candidate works on, since when and until when."""

    exam: Exam
    paper: Paper
    started_at: datetime
    deadline: datetime


def take_exam(work: Work, exam_id: int) -> OpenedPaper:
    """Open the paper: returns it and the caller's time, which starts now if this is the first call.

    Raises, in this order, NotFound, ExamNotEligible, ExamAlreadySubmitted, ExamNotOpen (decisions
    G16).
    """
    sitting = _sitting(work, exam_id)
    _check_eligible(work, sitting)
    _check_not_submitted(sitting)
    _check_open(work, sitting)
    paper = _paper(work, sitting)
    started_at = sitting.started_at or _start(work, exam_id)
    deadline = clock.deadline(sitting.exam, started_at, sitting.extra)
    return OpenedPaper(sitting.exam, paper, started_at, deadline)


def check_submission(work: Work, exam_id: int) -> Sitting:
    """Refuse a submission before its body is looked at: a retry whose reply was lost has to hear
    "submitted", even when the exam is over (decisions G19).

    Raises NotFound, ExamAlreadySubmitted, ExamNotEligible, ExamNotOpen.
    """
    sitting = _sitting(work, exam_id)
    _check_not_submitted(sitting)
    _check_eligible(work, sitting)
    _check_open(work, sitting)
    return sitting


def submit_answers(work: Work, sitting: Sitting, answers: Sequence[tuple[int, str]]) -> None:
    """Store the answers: pairs of a question's id and its option, ``""`` when blank.

    Raises Invalid for a question that is not in the paper or comes twice, ExamAlreadySubmitted for
    the loser of a race, and what `check_submission` does when the exam was changed meanwhile.
    """
    exam_id = sitting.exam.id
    packed = pack(_paper(work, sitting), answers)
    if sitting.started_at is None:
        _start(work, exam_id)
    stored = work.db.execute(
        insert(Submission)
        .values(
            exam_id=exam_id,
            candidate_id=work.identity.user_id,
            answers=packed,
            submitted_at=work.now,
        )
        .on_conflict_do_nothing()
        .returning(Submission.exam_id)
    ).one_or_none()
    if stored is None:
        raise ExamAlreadySubmitted
    work.emit(SubmissionsStored(work, exam_id, [work.identity.user_id]))


def _sitting(work: Work, exam_id: int) -> Sitting:
    """Raises NotFound."""
    candidate_id = work.identity.user_id
    row = work.db.execute(
        select(Exam, Attempt.started_at, clock.extra_time(), Submission.submitted_at)
        .outerjoin(Attempt, (Attempt.exam_id == Exam.id) & (Attempt.candidate_id == candidate_id))
        .outerjoin(
            Submission,
            (Submission.exam_id == Exam.id) & (Submission.candidate_id == candidate_id),
        )
        .where(Exam.id == exam_id, Exam.deleted_at.is_(None))
    ).one_or_none()
    if row is None:
        raise NotFound
    return Sitting(*row)


def _check_eligible(work: Work, sitting: Sitting) -> None:
    """Refuse a candidate of another stage. Whoever has started stays eligible: a move to another
    stage takes nobody's work."""
    if sitting.started_at is None and work.identity.role != sitting.exam.stage:
        raise ExamNotEligible


def _check_not_submitted(sitting: Sitting) -> None:
    if sitting.submitted_at is not None:
        raise ExamAlreadySubmitted


def _check_open(work: Work, sitting: Sitting) -> None:
    """Refuse an exam that is not open. For who has started it is, until the deadline and its grace,
    whatever became of the exam since."""
    exam = sitting.exam
    if sitting.started_at is None:
        is_open = exam.is_open(work.now)
    else:
        deadline = clock.deadline(exam, sitting.started_at, sitting.extra)
        is_open = clock.is_accepting(work, deadline)
    # Once it is sealed the key may be public, whatever became of the times.
    if not is_open or exam.sealed_at is not None:
        raise ExamNotOpen


def _paper(work: Work, sitting: Sitting) -> Paper:
    """The exam's paper, frozen now if nobody has opened it before. Raises NotFound,
    ExamNotEligible, ExamNotOpen."""
    if sitting.exam.first_started_at is None:
        rows.mark_started(work, sitting.exam)
        # It may have waited for whoever changed the exam.
        _check_eligible(work, sitting)
        _check_open(work, sitting)
    return papers.freeze(work, sitting.exam)


def _start(work: Work, exam_id: int) -> datetime:
    """When the caller started: of several calls at once the first one counts. Raises ExamNotOpen
    when the answer key may be public, ExamNotEligible for who was moved to another stage."""
    candidate_id = work.identity.user_id
    is_first = work.db.scalar(
        insert(Attempt)
        .values(exam_id=exam_id, candidate_id=candidate_id, started_at=work.now)
        .on_conflict_do_nothing()
        .returning(Attempt.exam_id)
    )
    # A statement of its own, after the insertion's locks on the paper and the candidate: it sees a
    # seal and another stage set meanwhile.
    started_at, sealed_at, is_of_stage = work.db.execute(
        select(Attempt.started_at, Exam.sealed_at, Candidate.role == Exam.stage)
        .join(Exam, Exam.id == Attempt.exam_id)
        .join(Candidate, Candidate.id == Attempt.candidate_id)
        .where(Attempt.exam_id == exam_id, Attempt.candidate_id == candidate_id)
    ).one()
    if sealed_at is not None:
        raise ExamNotOpen
    if is_first and not is_of_stage:
        raise ExamNotEligible
    return started_at
