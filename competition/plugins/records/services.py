"""Exams from a candidate's view: taken, open, and over."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    DateTime,
    Float,
    Select,
    and_,
    bindparam,
    cast,
    exists,
    or_,
    select,
)

from competition.core.auth.access import CandidateRole
from competition.core.users.models import Candidate, User
from competition.core.work import Work
from competition.plugins.exams.models import WITH_COUNT, Exam, Paper
from competition.plugins.records.presenters import Enrollment
from competition.plugins.scores.models import Score
from competition.plugins.scores.services import visibility
from competition.plugins.scores.services.statistics import candidate as statistics
from competition.plugins.sittings.models import Attempt, Submission

# An exam, and where the candidate stands in it.
ListedExam = tuple[Exam, Enrollment]
# A score, what was handed in, and on which paper; a score given by hand may have neither.
TakenExam = tuple[Score, Submission | None, Paper | None]
NOW = bindparam("now", type_=DateTime(timezone=True))


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
    return _listed(work, candidate, _is_available)


def available_and_concluded(
    work: Work, candidate: Candidate
) -> tuple[list[ListedExam], list[ListedExam]]:
    """The available ones, the first to open first; and those of this stage and of earlier ones
    that are over, the last one first."""
    listed = _listed(work, candidate, _is_available_or_over)
    available = [each for each in listed if each[0].is_open(work.now)]
    over = [each for each in listed if not each[0].is_open(work.now)]
    return available, over[::-1]


def _is_available(role: str) -> ColumnElement[bool]:
    return and_(Exam.has_status("ongoing", NOW), Exam.stage == role)


def _is_available_or_over(role: str) -> ColumnElement[bool]:
    stages = list(CandidateRole)[: list(CandidateRole).index(CandidateRole(role)) + 1]
    is_over = and_(Exam.has_status("concluded", NOW), Exam.stage.in_(stages))
    return or_(_is_available(role), is_over)


def _listed(
    work: Work, candidate: Candidate, which: Callable[[str], ColumnElement[bool]]
) -> list[ListedExam]:
    """Exams of a candidate's role, by the condition that `which` makes of the role."""
    statement = work.statement(_exams, which, candidate.role)
    rows = work.db.execute(statement, {"candidate_id": candidate.id, "now": work.now})
    return [
        (exam, _enrollment(work, exam, candidate.date_joined, done=done)) for exam, done in rows
    ]


def _exams(
    work: Work, which: Callable[[str], ColumnElement[bool]], role: str
) -> Select[Exam, bool]:
    is_done = or_(
        *(
            exists().where(row.exam_id == Exam.id, row.candidate_id == bindparam("candidate_id"))
            for row in (Submission, Score)
        )
    )
    return (
        select(Exam, is_done)
        .where(Exam.deleted_at.is_(None), which(role))
        .order_by(Exam.scheduled_date, Exam.id)
        .options(WITH_COUNT)
    )


def _enrollment(work: Work, exam: Exam, joined: datetime, *, done: bool) -> Enrollment:
    """`missed` only if the candidate had registered before it was over (decisions G27)."""
    if done:
        return "done"
    concluded_at = exam.concluded_at(work.now)
    return "missed" if concluded_at is not None and joined < concluded_at else "not_done"


def export(work: Work, user: User) -> list[dict[str, Any]]:
    """The exams that a user has begun, or has a score in, the first one first: with what was handed
    in, a character a question in the paper's order, and the scores that candidates see by now."""
    is_seen = visibility.shown_to(work, "candidates", work.now)
    rows = work.db.execute(
        select(
            Exam.id.label("exam"),
            Exam.title,
            Attempt.started_at,
            Submission.submitted_at,
            Submission.handed_in_by,
            Submission.answers,
            cast(Score.value, Float).label("score"),
        )
        .outerjoin(Attempt, and_(Attempt.exam_id == Exam.id, Attempt.candidate_id == user.id))
        .outerjoin(
            Submission, and_(Submission.exam_id == Exam.id, Submission.candidate_id == user.id)
        )
        .outerjoin(Score, and_(Score.exam_id == Exam.id, Score.candidate_id == user.id, is_seen))
        .where(or_(Attempt.exam_id.is_not(None), Score.exam_id.is_not(None)))
        .order_by(Exam.scheduled_date, Exam.id)
    )
    return [dict(row._mapping) for row in rows]


def erase(work: Work, user: User) -> None:
    """Answers and scores stay, of an account without a person: others' ranks and averages are made
    of them."""
