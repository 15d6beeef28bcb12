"""The scores of an exam, and the average scores of exams."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import contains_eager, joinedload

from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.scores.models import Score
from competition.plugins.scores.presenters import number
from competition.plugins.scores.services.rounding import average_in_sql
from competition.plugins.sittings.models import HandedInBy, Submission


def results(work: Work, exam_id: int) -> list[tuple[Score, datetime | None, HandedInBy | None]]:
    """The scores of an exam, the highest first, with the time of the submission and its author.

    Each score has its candidate, and the member of staff who gave it, loaded. The time and the
    author are None without a submission.
    """
    rows = work.db.execute(
        select(Score, Submission.submitted_at, Submission.handed_in_by)
        .join(Score.candidate)
        .outerjoin(
            Submission,
            (Submission.exam_id == Score.exam_id) & (Submission.candidate_id == Score.candidate_id),
        )
        .options(contains_eager(Score.candidate), joinedload(Score.recorded_by))
        .where(Score.exam_id == exam_id)
        .order_by(Score.value.desc(), Candidate.last_name, Candidate.first_name, Candidate.id)
    )
    return [(score, at, handed_in_by) for score, at, handed_in_by in rows]


def average_scores(work: Work, exam_ids: Collection[int]) -> dict[int, float]:
    """The average score of each of these exams; 0 for an exam without scores."""
    rows = work.db.execute(
        select(Score.exam_id, average_in_sql(Score.value))
        .where(Score.exam_id.in_(exam_ids))
        .group_by(Score.exam_id)
    )
    averages = {exam_id: average for exam_id, average in rows}
    return {exam_id: number(averages.get(exam_id)) for exam_id in exam_ids}
