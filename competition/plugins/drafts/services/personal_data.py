"""Export and erase a candidate's drafts, and delete drafts when their retention ends."""

from datetime import timedelta
from typing import Any

from sqlalchemy import delete, select

from competition.core.jobs.housekeeping import retention
from competition.core.users.models import User
from competition.core.users.personal_data import personal_data
from competition.core.work import Work
from competition.plugins.drafts import DraftSettings
from competition.plugins.drafts.models import Draft
from competition.plugins.exams.models import Exam


def export(work: Work, user: User) -> list[dict[str, Any]]:
    """The candidate's drafts, ordered by exam; `answers` has one character per question."""
    rows = work.db.execute(
        select(Exam.title.label("exam_title"), Draft.answers, Draft.saved_at)
        .join(Exam, Exam.id == Draft.exam_id)
        .where(Draft.candidate_id == user.id)
        .order_by(Draft.exam_id)
    )
    return [dict(row._mapping) for row in rows]


@personal_data("drafts", export=export)
def erase(work: Work, user: User) -> None:
    """Delete the candidate's drafts."""
    work.db.execute(delete(Draft).where(Draft.candidate_id == user.id))


@retention("drafts.drafts")
def delete_expired(work: Work) -> None:
    """Delete the drafts of exams that were published `kept_days` days ago."""
    latest = work.now - timedelta(days=work.settings[DraftSettings].kept_days)
    over = select(Exam.id).where(Exam.published_at <= latest)
    work.db.execute(delete(Draft).where(Draft.exam_id.in_(over)))
