"""When candidates see their own scores (decisions G25); staff see them at once.

No other module decides that: whatever is computed from scores for a candidate takes its condition
from here.
"""

from datetime import datetime
from typing import Literal

from sqlalchemy import ColumnElement, Exists, String, and_, bindparam, func, or_, select, true

from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.scores import AT_CONCLUSION, AT_PUBLICATION, IMMEDIATELY, ScoreSettings

# Which scores a reader sees: staff all of them, candidates those that are released.
Audience = Literal["staff", "candidates"]

# What `default` returns, in a statement that is built once.
DEFAULT = bindparam("visible_by_default", type_=String())


def default(work: Work) -> str:
    """When candidates see their scores in exams that don't say it themselves."""
    given = work.settings[ScoreSettings].visible
    return IMMEDIATELY if given == "at_once" else given


def audience_of(work: Work) -> Audience:
    """Which scores the caller may see: "staff" all, "candidates" those released by now."""
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
    """Whether candidates see their scores in some exam later than staff."""
    return bool(work.db.scalar(select(held_back(default(work)))))


def held_back(default: str | ColumnElement[str]) -> Exists:
    """Whether there is an exam whose scores candidates see later than staff, in SQL."""
    return select(Exam.id).where(_visible(default) != IMMEDIATELY).exists()


def shown_to(
    audience: Audience,
    at: datetime | ColumnElement[datetime],
    default: str | ColumnElement[str],
) -> ColumnElement[bool]:
    """Condition on the exam of a score: whether that audience could see the score at that time."""
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
