"""Decide when candidates see their own scores (decisions G25). Staff see them at once.

Everything that is computed from scores for a candidate must use `score_shown_to`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    DateTime,
    Interval,
    String,
    and_,
    bindparam,
    func,
    or_,
    select,
    true,
)

from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.scores import AT_CONCLUSION, AT_PUBLICATION, IMMEDIATELY, ScoreSettings
from competition.plugins.scores.models import Score
from competition.plugins.sittings.models import Submission, is_same_attempt
from competition.plugins.sittings.services import clock, sealing

# Staff see all scores, candidates only released scores.
Audience = Literal["staff", "candidates"]


@dataclass(frozen=True)
class Moment:
    """A time, and the settings that decide what is visible then: `default`, for exams that have no
    `scores_visible` of their own, and `grace`, the grace period. The fields are values, or bind
    parameters of SQL statements."""

    at: datetime | ColumnElement[datetime]
    default: str | ColumnElement[str]
    grace: timedelta | ColumnElement[timedelta]


# A moment of bind parameters, for statements that are built once. `values` returns the values of
# the parameters.
LATER = Moment(
    bindparam("at", type_=DateTime(timezone=True)),
    bindparam("visible_by_default", type_=String()),
    bindparam("grace", type_=Interval()),
)


def now(work: Work) -> Moment:
    return Moment(work.now, default(work), clock.grace(work))


def values(moment: Moment) -> dict[str, Any]:
    """The values of the parameters of `LATER`, for this moment."""
    return {"at": moment.at, "visible_by_default": moment.default, "grace": moment.grace}


def default(work: Work) -> str:
    """When candidates see their scores in exams that have no `scores_visible` of their own."""
    given = work.settings[ScoreSettings].visible
    return IMMEDIATELY if given == "at_once" else given


def audience_of(work: Work) -> Audience:
    """The audience that the caller belongs to, which decides which scores the caller sees."""
    is_candidate = work.actor is not None and work.actor.kind == "candidate"
    return "candidates" if is_candidate else "staff"


def is_held_back(work: Work, exam: Exam) -> bool:
    """Whether candidates see their scores in this exam later than staff."""
    return (exam.scores_visible or default(work)) != IMMEDIATELY


def can_be_seen(work: Work, exam_id: int) -> bool:
    """Whether candidates can already see their scores in this exam."""
    is_seen = shown_to("candidates", now(work))
    return bool(work.db.scalar(select(is_seen).where(Exam.id == exam_id)))


def any_seen(work: Work, exam_id: int, candidate_ids: Collection[UUID]) -> bool:
    """Whether one of these candidates can already see their score in this exam."""
    seen = (
        select(Score.exam_id)
        .join(Exam, Exam.id == Score.exam_id)
        .where(Score.exam_id == exam_id, Score.candidate_id.in_(candidate_ids))
        .where(score_shown_to("candidates", now(work)))
    )
    return bool(work.db.scalar(select(seen.exists())))


def score_shown_to(audience: Audience, moment: Moment) -> ColumnElement[bool]:
    """SQL condition on Score and Exam: whether this audience could see the score at this moment."""
    if audience == "staff":
        return true()
    return and_(shown_to(audience, moment), is_final(moment.at))


def is_final(at: datetime | ColumnElement[datetime]) -> ColumnElement[bool]:
    """SQL condition on Score and Exam: whether, at this time, the candidate could no longer change
    this score by further answers.

    Until the exam is sealed or deleted, more time reopens the attempts for which the service has
    submitted. If candidates knew the score of such an attempt, they would know how many of their
    answers are right. More time changes no other submission, and no score that staff gave.
    """
    by_service = (
        select(Submission.exam_id)
        .where(is_same_attempt(Submission, Score), Submission.handed_in_by == "service")
        .correlate(Score)
        .exists()
    )
    # If the exam is only sealed or only deleted, this is that time, because LEAST ignores NULL.
    ended_at = func.least(Exam.sealed_at, Exam.deleted_at, type_=DateTime(timezone=True))
    return or_(func.coalesce(ended_at <= at, False), ~Score.is_auto, ~by_service)


def shown_to(audience: Audience, moment: Moment) -> ColumnElement[bool]:
    """SQL condition on Exam: whether this audience could see the exam's scores at this moment.

    Scores that are visible at conclusion appear once nobody can submit any longer. Before that,
    candidates who know how many of their answers are right could tell others who are still taking
    the exam.
    """
    if audience == "staff":
        return true()
    visible = func.coalesce(Exam.scores_visible, moment.default)
    return or_(
        visible == IMMEDIATELY,
        and_(visible == AT_CONCLUSION, sealing.was_over(moment.at, moment.grace)),
        and_(visible == AT_PUBLICATION, Exam.published_at <= moment.at),
    )
