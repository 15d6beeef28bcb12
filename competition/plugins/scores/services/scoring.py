"""Automatic scores: the percentage of answers that are those of the frozen key (decisions G22)."""

from collections.abc import Collection
from decimal import Decimal
from uuid import UUID

from sqlalchemy import func, literal, null, select
from sqlalchemy.dialects.postgresql import insert

from competition.core.work import Work
from competition.plugins.exams.models import Paper
from competition.plugins.scores.events import ScoresRecorded
from competition.plugins.scores.models import Score
from competition.plugins.sittings.models import Submission


def score_submissions(
    work: Work, exam_ids: Collection[int], candidate_ids: Collection[UUID] | None = None
) -> None:
    """Score what is not scored yet, of these candidates or of all, in one statement.

    A score that is there, automatic or manual, stays as it is: it may run any number of times.
    """
    # Character by character; null separates them all.
    marked = (
        func.unnest(
            func.string_to_array(Submission.answers, null()),
            func.string_to_array(Paper.answer_key, null()),
        )
        .table_valued("answer", "correct")
        .render_derived()
    )
    correct = (
        select(func.count())
        .select_from(marked)
        .where(marked.c.answer == marked.c.correct)
        .scalar_subquery()
    )
    percent = func.round(literal(Decimal(100)) * correct / func.length(Paper.answer_key), 2)
    submitted = (
        select(
            Submission.exam_id,
            Submission.candidate_id,
            percent,
            literal(True),
            literal(work.now),
        )
        .join(Paper, Paper.exam_id == Submission.exam_id)
        .outerjoin(
            Score,
            (Score.exam_id == Submission.exam_id) & (Score.candidate_id == Submission.candidate_id),
        )
        .where(Submission.exam_id.in_(exam_ids), Score.exam_id.is_(None))
    )
    if candidate_ids is not None:
        submitted = submitted.where(Submission.candidate_id.in_(candidate_ids))
    columns = ["exam_id", "candidate_id", "value", "is_auto", "recorded_at"]
    scored: dict[int, list[UUID]] = {}
    for exam_id, candidate_id in work.db.execute(
        insert(Score)
        .from_select(columns, submitted)
        .on_conflict_do_nothing()
        .returning(Score.exam_id, Score.candidate_id)
    ):
        scored.setdefault(exam_id, []).append(candidate_id)
    for exam_id, candidates in scored.items():
        work.emit(ScoresRecorded(work, exam_id, candidates))
