"""When candidates see their own scores (decisions G25); staff sees them at once.

It is decided here, by who asks, and nowhere else: whatever is computed of scores for a candidate
asks this module for its condition.
"""

from datetime import datetime
from typing import Literal

from sqlalchemy import ColumnElement, Exists, and_, func, or_, select, true

from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.scores import AT_CONCLUSION, AT_PUBLICATION, IMMEDIATELY, ScoreSettings

# Which scores are seen: all of them, or where these are held back, the released ones.
Audience = Literal["staff", "candidates"]


def audience_of(work: Work) -> Audience:
    """Which scores the caller may see: "staff" all, "candidates" those released by now."""
    is_candidate = work.actor is not None and work.actor.kind == "candidate"
    return "candidates" if is_candidate else "staff"


def is_held_back(work: Work, exam: Exam) -> bool:
    """Whether candidates see their scores in this exam later than staff."""
    return (exam.scores_visible or _setting(work)) != IMMEDIATELY


def is_anything_held_back(work: Work) -> bool:
    return bool(work.db.scalar(select(held_back(work))))


def held_back(work: Work) -> Exists:
    """Whether there is an exam whose scores candidates see later than staff."""
    return select(Exam.id).where(_visible(work) != IMMEDIATELY).exists()


def shown_to(
    work: Work, audience: Audience, at: datetime | ColumnElement[datetime]
) -> ColumnElement[bool]:
    """Condition on the exam of a score: whether that audience could see it at that time."""
    if audience == "staff":
        return true()
    visible = _visible(work)
    return or_(
        visible == IMMEDIATELY,
        and_(visible == AT_CONCLUSION, Exam.closes_at <= at),
        and_(visible == AT_PUBLICATION, Exam.sealed_at <= at),
    )


def _visible(work: Work) -> ColumnElement[str]:
    return func.coalesce(Exam.scores_visible, _setting(work))


def _setting(work: Work) -> str:
    given = work.settings[ScoreSettings].visible
    return IMMEDIATELY if given == "at_once" else given
