"""Decide when candidates see their own scores (decisions G25). Staff see them at once.

Everything that is computed from scores for a candidate must use the conditions of this module.
"""

from datetime import datetime
from typing import Literal

from sqlalchemy import ColumnElement, Exists, String, and_, bindparam, func, or_, select, true

from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.scores import AT_CONCLUSION, AT_PUBLICATION, IMMEDIATELY, ScoreSettings

# Staff see all scores, candidates only released scores.
Audience = Literal["staff", "candidates"]

# The parameter for the result of `default`, in statements that are built once.
DEFAULT = bindparam("visible_by_default", type_=String())


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
    """Whether candidates can see their scores in this exam by now."""
    is_seen = shown_to("candidates", work.now, default(work))
    return bool(work.db.scalar(select(is_seen).where(Exam.id == exam_id)))


def is_anything_held_back(work: Work) -> bool:
    """Whether there is an exam whose scores candidates see later than staff."""
    return bool(work.db.scalar(select(held_back(default(work)))))


def held_back(default: str | ColumnElement[str]) -> Exists:
    """SQL condition: whether there is an exam whose scores candidates see later than staff."""
    return select(Exam.id).where(_visible(default) != IMMEDIATELY).exists()


def shown_to(
    audience: Audience,
    at: datetime | ColumnElement[datetime],
    default: str | ColumnElement[str],
) -> ColumnElement[bool]:
    """SQL condition on Exam: whether this audience could see the exam's scores at this time."""
    if audience == "staff":
        return true()
    visible = _visible(default)
    return or_(
        visible == IMMEDIATELY,
        and_(visible == AT_CONCLUSION, Exam.closes_at <= at),
        and_(visible == AT_PUBLICATION, Exam.published_at <= at),
    )


def _visible(default: str | ColumnElement[str]) -> ColumnElement[str]:
    return func.coalesce(Exam.scores_visible, default)
