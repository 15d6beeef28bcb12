"""Ranks of an exam by its scores as they are now, and by its own ranking (decisions L5). Everything
here is for a query that is `with_all_that_ranks`."""

from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Numeric, Select, case, cast, extract, func, select

from competition.core.users.models import Candidate
from competition.plugins.exams.models import Exam
from competition.plugins.scores.models import Score
from competition.plugins.sittings.models import Attempt, Submission
from competition.plugins.sittings.services import clock


def with_all_that_ranks(statement: Select[Any]) -> Select[Any]:
    """The statement, from every score with its exam, its candidate, and what was handed in when."""

    def is_of_score(row: type[Attempt] | type[Submission]) -> ColumnElement[bool]:
        return (row.exam_id == Score.exam_id) & (row.candidate_id == Score.candidate_id)

    return (
        statement.select_from(Score)
        .join(Exam, Exam.id == Score.exam_id)
        .join(Candidate, Candidate.id == Score.candidate_id)
        .outerjoin(Attempt, is_of_score(Attempt))
        .outerjoin(Submission, is_of_score(Submission))
    )


def seconds_used() -> ColumnElement[Decimal | None]:
    """From the start to the submission, at most to the deadline: whom the service hands in gains
    nothing. Who has handed in nothing has used all the time; a score without an attempt counts as
    the whole countdown. None where time does not rank."""
    ended_at = func.least(Submission.submitted_at, clock.deadlines())
    countdown = func.make_interval(0, 0, 0, 0, 0, Exam.countdown_minutes)
    used = extract("epoch", func.coalesce(ended_at - Attempt.started_at, countdown))
    return case((Exam.ranking == "time", func.round(cast(used, Numeric), 3)))


def best_first() -> tuple[ColumnElement[Any], ...]:
    """Those that are equal in it share a rank."""
    return Score.value.desc(), seconds_used()


def rank(of: Any) -> ColumnElement[int]:
    """The rank among all with the same value in the column `of`."""
    rank, dense_rank = (
        each.over(partition_by=of, order_by=best_first())
        for each in (func.rank(), func.dense_rank())
    )
    return case((Exam.ranking == "dense", dense_rank), else_=rank)


def ranks(exam_id: int) -> Select[Any]:
    """`candidate_id`, `score`, `is_auto` and `rank` of everybody with a score in an exam; who is
    deactivated has no rank."""
    return with_all_that_ranks(
        select(
            Score.candidate_id,
            Score.value.label("score"),
            Score.is_auto,
            case((Candidate.is_ranked, rank(Candidate.is_ranked))).label("rank"),
        )
    ).where(Score.exam_id == exam_id)
