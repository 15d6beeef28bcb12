"""Exams from a candidate's view: taken, open, and over."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, exists, or_, select

from competition.core.auth.access import CandidateRole
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.models import WITH_COUNT, Exam, Paper
from competition.plugins.records.presenters import Enrollment
from competition.plugins.scores.models import Score
from competition.plugins.scores.services.statistics import candidate as statistics
from competition.plugins.sittings.models import Submission

# An exam, and where the candidate stands in it.
ListedExam = tuple[Exam, Enrollment]
# A score, what was handed in, and on which paper; a score given by hand may have neither.
TakenExam = tuple[Score, Submission | None, Paper | None]


def exams_taken(work: Work, candidate_id: UUID) -> list[TakenExam]:
    """The exams that a candidate has a score in, the latest first."""
    scores = statistics.scores(work, candidate_id)
    handed_in = {
        submission.exam_id: (submission, paper)
        for submission, paper in work.db.execute(
            select(Submission, Paper)
            .join(Paper, Paper.exam_id == Submission.exam_id)
            .where(Submission.candidate_id == candidate_id)
        )
    }
    return [(score, *handed_in.get(score.exam_id, (None, None))) for score in scores]


def available_exams(work: Work, candidate: Candidate) -> list[ListedExam]:
    """The exams that are open in the candidate's stage, done or not (decisions G28)."""
    return _listed(work, candidate, _is_available(work, candidate))


def available_and_concluded(
    work: Work, candidate: Candidate
) -> tuple[list[ListedExam], list[ListedExam]]:
    """The available ones, the first to open first; and those of this stage and of earlier ones
    that are over, the last one first."""
    stages = list(CandidateRole)[: list(CandidateRole).index(CandidateRole(candidate.role)) + 1]
    is_over = and_(Exam.has_status("concluded", work.now), Exam.stage.in_(stages))
    listed = _listed(work, candidate, or_(_is_available(work, candidate), is_over))
    available = [each for each in listed if each[0].is_open(work.now)]
    over = [each for each in listed if not each[0].is_open(work.now)]
    return available, over[::-1]


def _is_available(work: Work, candidate: Candidate) -> ColumnElement[bool]:
    return and_(Exam.has_status("ongoing", work.now), Exam.stage == candidate.role)


def _listed(work: Work, candidate: Candidate, condition: ColumnElement[bool]) -> list[ListedExam]:
    is_done = or_(
        *(
            exists().where(row.exam_id == Exam.id, row.candidate_id == candidate.id)
            for row in (Submission, Score)
        )
    )
    rows: Sequence[tuple[Exam, bool]] = work.db.execute(
        select(Exam, is_done)
        .where(Exam.deleted_at.is_(None), condition)
        .order_by(Exam.scheduled_date, Exam.id)
        .options(WITH_COUNT)
    ).all()
    return [
        (exam, _enrollment(work, exam, candidate.date_joined, done=done)) for exam, done in rows
    ]


def _enrollment(work: Work, exam: Exam, joined: datetime, *, done: bool) -> Enrollment:
    """`missed` only if the candidate had registered before it was over (decisions G27)."""
    if done:
        return "done"
    concluded_at = exam.concluded_at(work.now)
    return "missed" if concluded_at is not None and joined < concluded_at else "not_done"
