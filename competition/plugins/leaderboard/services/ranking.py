"""Rank the candidates of an exam by their current scores and the exam's policy (decisions L5).

The service has three rankings. In each, candidates with equal values share a rank, deactivated
candidates take no place, and only the order inside a rank differs:

- A board ranks the scores in one exam, and its ranks stay as they were published. The exam's policy
  decides (`rank`). After a shared rank, `standard` leaves ranks out, and `dense` does not. With
  `time`, less time used is better if the scores are equal. Inside a rank the earlier submission
  comes first, then the name (`in_order`).
- A standing is a candidate's present rank in a stage, by the sum of the scores that the reader may
  see (`competition.plugins.scores.services.standings`). Ranks are left out after a shared rank.
  There is no order inside a rank, because standings are never shown as a list.
- An advancement plan (`competition.plugins.advancement.services.ranking`) ranks the sums of scores
  in its exams, like a standing. The plan decides what happens to candidates who share the last
  place. Inside a rank the name decides.
"""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Numeric, Subquery, case, cast, func, null, select

from competition.core.users.models import Candidate
from competition.plugins.exams.models import Exam
from competition.plugins.scores.models import Score
from competition.plugins.sittings.models import Attempt, ExtraTime, Submission, is_same_attempt
from competition.plugins.sittings.services import clock


def scored(exam: Exam) -> Subquery:
    """Subquery of the scores in an exam.

    Its columns are `candidate_id`, `value`, `is_auto` and `recorded_at`; `submitted_at`, null
    without a submission; and `seconds_used`, null unless the exam ranks equal scores by time.
    Queries on the subquery have to run inside `over_sets`.
    """
    # The extra time of all candidates, in one subquery. `clock.deadlines` alone would look it up
    # for each attempt.
    extra = (
        select(ExtraTime.candidate_id, func.sum(ExtraTime.seconds).label("seconds"))
        .where(ExtraTime.exam_id == exam.id)
        .group_by(ExtraTime.candidate_id)
        .subquery()
    )
    is_timed = exam.ranking == "time"
    used = _seconds_used(clock.interval(extra.c.seconds)) if is_timed else cast(null(), Numeric)
    columns = Score.candidate_id, Score.value, Score.is_auto, Score.recorded_at
    scores = (
        select(*columns, Submission.submitted_at, used.label("seconds_used"))
        .join(Exam, Exam.id == Score.exam_id)
        .outerjoin(Submission, is_same_attempt(Submission, Score))
        .where(Score.exam_id == exam.id)
    )
    if is_timed:
        scores = scores.outerjoin(Attempt, is_same_attempt(Attempt, Score))
        scores = scores.outerjoin(extra, extra.c.candidate_id == Attempt.candidate_id)
    return scores.subquery()


def _seconds_used(extra: ColumnElement[timedelta]) -> ColumnElement[Decimal]:
    """SQL expression for the seconds from the start to the submission, or to the deadline if that
    is earlier.

    A candidate whose answers were submitted automatically, or who has no submission, has used all
    the time. Without an attempt, or if the candidate submitted without opening the paper, the time
    is unknown and the whole countdown counts.
    """
    # Without a submission, this is the deadline, because LEAST ignores NULL.
    ended_at = func.least(Submission.submitted_at, clock.deadlines(extra))
    countdown = func.make_interval(0, 0, 0, 0, 0, Exam.countdown_minutes)
    measured = case((Attempt.is_opened, ended_at - Attempt.started_at), else_=countdown)
    return func.round(cast(func.extract("epoch", measured), Numeric), 3)


def best_first(scores: Subquery) -> tuple[ColumnElement[object], ...]:
    """The ORDER BY of a ranking: the highest score first, and then the least time used, if the exam
    ranks equal scores by time. Candidates who are equal in both share a rank."""
    return scores.c.value.desc(), scores.c.seconds_used


def in_order(scores: Subquery) -> tuple[Any, ...]:
    """The ORDER BY of a board, in a query on `scored` and Candidate: by rank, and inside a rank by
    the time of submission, then by name and id."""
    submitted_at = func.coalesce(scores.c.submitted_at, scores.c.recorded_at)
    full_name = Candidate.first_name + " " + Candidate.last_name
    return *best_first(scores), submitted_at, full_name, Candidate.id


def rank(exam: Exam, scores: Subquery) -> ColumnElement[int | None]:
    """SQL expression for the rank, in a query on `scored` and Candidate.

    It is null for a deactivated candidate, who takes no place in the ranking.
    """
    place = func.dense_rank() if exam.ranking == "dense" else func.rank()
    among = place.over(partition_by=Candidate.is_ranked, order_by=best_first(scores))
    return case((Candidate.is_ranked, among))
