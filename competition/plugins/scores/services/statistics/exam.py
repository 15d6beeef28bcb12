"""The scores of an exam: one by one, and on average."""

from collections.abc import Collection, Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import contains_eager, joinedload

from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.scores.models import Score
from competition.plugins.scores.presenters import number


def results(work: Work, exam_id: int) -> Sequence[Score]:
    """The scores of an exam with the candidates and who gave a score by hand; the highest first."""
    return work.db.scalars(
        select(Score)
        .join(Score.candidate)
        .options(contains_eager(Score.candidate), joinedload(Score.recorded_by))
        .where(Score.exam_id == exam_id)
        .order_by(Score.value.desc(), Candidate.last_name, Candidate.first_name, Candidate.id)
    ).all()


def average_scores(work: Work, exam_ids: Collection[int]) -> dict[int, float]:
    """The average score of each of these exams; 0 without a score."""
    rows = work.db.execute(
        select(Score.exam_id, func.round(func.avg(Score.value), 2))
        .where(Score.exam_id.in_(exam_ids))
        .group_by(Score.exam_id)
    )
    averages = {exam_id: average for exam_id, average in rows}
    return {exam_id: number(averages.get(exam_id)) for exam_id in exam_ids}
