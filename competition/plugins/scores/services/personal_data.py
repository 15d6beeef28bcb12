"""A candidate's scores: exported, and kept."""

from typing import Any

from sqlalchemy import select

from competition.core.users.models import User
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.scores.models import Score


def export(work: Work, user: User) -> list[dict[str, Any]]:
    rows = work.db.execute(
        select(Score.exam_id, Exam.title, Score.value, Score.is_auto, Score.recorded_at)
        .join(Exam, Exam.id == Score.exam_id)
        .where(Score.candidate_id == user.id)
        .order_by(Score.id)
    )
    return [{**row._mapping, "value": float(row.value)} for row in rows]


def erase(work: Work, user: User) -> None:
    """Scores stay: averages and ranks of others are made of them."""
