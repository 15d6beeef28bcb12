"""The scores of an exam: one by one, and on average."""

from collections.abc import Collection
from decimal import Decimal

from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from competition.core.users.models import Candidate, Staff
from competition.core.work import Work
from competition.plugins.scores.models import Score


def results(work: Work, exam_id: int) -> list[tuple[Score, Candidate, Staff | None]]:
    """Score, candidate, and who gave the score by hand; the highest first."""
    recorded_by = aliased(Staff)
    rows = work.db.execute(
        select(Score, Candidate, recorded_by)
        .join(Candidate, Candidate.id == Score.candidate_id)
        .outerjoin(recorded_by, recorded_by.id == Score.recorded_by_id)
        .where(Score.exam_id == exam_id)
        .order_by(Score.value.desc(), Candidate.last_name, Candidate.first_name, Candidate.id)
    )
    return [(score, candidate, staff) for score, candidate, staff in rows]


def average_scores(work: Work, exam_ids: Collection[int]) -> dict[int, Decimal]:
    """By exam; one without a score is left out."""
    rows = work.db.execute(
        select(Score.exam_id, func.round(func.avg(Score.value), 2))
        .where(Score.exam_id.in_(exam_ids))
        .group_by(Score.exam_id)
    )
    return {exam_id: average for exam_id, average in rows}
