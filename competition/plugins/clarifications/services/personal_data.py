"""Export and erase a candidate's questions, and delete questions when their retention ends."""

from datetime import timedelta
from typing import Any

from sqlalchemy import case, delete, func, null, select, update

from competition.core.jobs.housekeeping import retention
from competition.core.messages import Message
from competition.core.users.models import User
from competition.core.users.personal_data import ERASED, personal_data
from competition.core.work import Work
from competition.plugins.clarifications import ClarificationSettings
from competition.plugins.clarifications.models import Clarification
from competition.plugins.exams.models import Exam


def export(work: Work, user: User) -> list[dict[str, Any]]:
    """The candidate's questions with the answers, the earliest first."""
    row = Clarification
    columns = (row.exam_id, row.question_id, row.text, row.status, row.answer, row.is_public)
    found = work.db.execute(
        select(*columns, row.asked_at, row.answered_at)
        .where(row.candidate_id == user.id)
        .order_by(row.id)
    )
    return [dict(each._mapping) for each in found]


@personal_data(
    "clarifications",
    export=export,
    kind="candidate",
    remains=Message(
        "the fact that you asked questions in exams, and answers that all candidates could read"
    ),
)
def erase(work: Work, user: User) -> None:
    """Erase the texts of the candidate's questions, and the answers that only they could read.

    Open questions are dismissed. Public answers stay, because they were part of the exam for all.
    """
    row = Clarification
    work.db.execute(
        update(row)
        .where(row.candidate_id == user.id)
        .values(
            text=ERASED,
            status=case((row.status == "open", "dismissed"), else_=row.status),
            answer=case((row.is_public, row.answer), else_=null()),
            answered_at=func.coalesce(row.answered_at, work.now),
        ),
        execution_options={"synchronize_session": False},
    )


@retention("clarifications.clarifications")
def delete_expired(work: Work) -> None:
    """Delete the questions of exams that closed `kept_days` days ago, with their answers."""
    latest = work.now - timedelta(days=work.settings[ClarificationSettings].kept_days)
    over = select(Exam.id).where(Exam.closes_at <= latest)
    work.db.execute(delete(Clarification).where(Clarification.exam_id.in_(over)))
