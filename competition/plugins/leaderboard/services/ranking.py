"""The ranks of an exam by its scores as they are now, as a board would have them."""

from typing import Any

from sqlalchemy import Select, case, func, select

from competition.core.users.models import Candidate
from competition.plugins.scores.models import Score


def ranks(exam_id: int) -> Select[Any]:
    """`candidate_id`, `score`, `is_auto` and `rank` of everybody with a score; who is deactivated
    has no rank."""
    rank = func.rank().over(partition_by=Candidate.is_active, order_by=Score.value.desc())
    return (
        select(
            Score.candidate_id,
            Score.value.label("score"),
            Score.is_auto,
            case((Candidate.is_active, rank)).label("rank"),
        )
        .join(Candidate, Candidate.id == Score.candidate_id)
        .where(Score.exam_id == exam_id)
    )
