"""When candidates see their own scores (decisions G25); staff sees them at once.

It is decided here, by who asks, and nowhere else: whatever is computed of scores for a candidate
asks this module for its condition.
"""

from datetime import datetime
from typing import Literal

from sqlalchemy import ColumnElement, true

from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.scores import AT_CONCLUSION, AT_ONCE, ScoreSettings

# Which scores are seen: all of them, or where these are held back, the released ones.
Audience = Literal["staff", "candidates"]


def audience_of(work: Work) -> Audience:
    """Which scores the caller may see: "staff" all, "candidates" those released by now."""
    is_candidate = work.actor is not None and work.actor.kind == "candidate"
    return "candidates" if is_candidate and is_held_back(work) else "staff"


def is_held_back(work: Work) -> bool:
    """Whether candidates see scores later than staff."""
    return work.settings[ScoreSettings].visible != AT_ONCE


def shown_to(work: Work, audience: Audience, at: datetime) -> ColumnElement[bool]:
    """Condition on the exam of a score: whether that audience could see it at that time."""
    if audience == "staff":
        return true()
    if work.settings[ScoreSettings].visible == AT_CONCLUSION:
        return Exam.closes_at <= at
    return Exam.sealed_at <= at
