"""Automatic scores: the percentage of answers that the key counts as right (decisions G22)."""

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    any_,
    delete,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.dialects import postgresql

from competition.core.database import over_sets, uuids
from competition.core.work import Work
from competition.plugins.exams.models import Exam, Paper
from competition.plugins.scores.events import ScoresCorrected, ScoresRecorded
from competition.plugins.scores.models import Correction, Score
from competition.plugins.scores.services import keys
from competition.plugins.scores.services.rounding import rounded_in_sql
from competition.plugins.sittings.models import Submission

# How many submissions one statement scores, and how many candidates one event names, at most.
CHUNK = 10_000


def score_submissions(
    work: Work, exam_id: int, candidate_ids: Collection[UUID] | None = None
) -> None:
    """Score the submissions that have no score yet: those of these candidates, or all if
    `candidate_ids` is None.

    Existing scores, automatic or given by staff, stay as they are. So this may run any number of
    times.
    """
    _lock_against_withdrawal(work, exam_id)
    key = keys.key(work, exam_id)
    if not key:
        return
    if candidate_ids is None:
        of_exam = select(Submission.candidate_id).where(Submission.exam_id == exam_id)
        candidate_ids = work.db.scalars(of_exam).all()
    in_order = sorted(candidate_ids)
    for at in range(0, len(in_order), CHUNK):
        if scored := _score(work, exam_id, key, in_order[at : at + CHUNK]):
            work.emit(ScoresRecorded(work, exam_id, scored))


def _lock_against_withdrawal(work: Work, exam_id: int) -> None:
    """Keep submissions of the exam from being withdrawn until the commit.

    Otherwise a submission withdrawn in the meantime would leave its score behind. The exam's row is
    locked before the paper, in the order that `exams.services.rows` prescribes, because inserting
    scores locks the exam's row too.
    """
    exam = select(Exam.id).where(Exam.id == exam_id)
    work.db.execute(exam.with_for_update(read=True, key_share=True))
    paper = select(Paper.exam_id).where(Paper.exam_id == exam_id)
    work.db.execute(paper.with_for_update(read=True, key_share=True))


def unscore(work: Work, exam_id: int, candidate_ids: Collection[UUID]) -> None:
    """Delete the automatic scores of these candidates in the exam."""
    are_theirs = (Score.exam_id == exam_id, Score.candidate_id.in_(candidate_ids), Score.is_auto)
    work.db.execute(delete(Score).where(*are_theirs))


def correct(work: Work, exam_id: int, corrections: Mapping[int, str]) -> Sequence[UUID]:
    """Replace all corrections of the exam, and recompute its automatic scores.

    Returns the ids of the candidates whose score has changed. Scores given by staff stay. The
    caller must have locked the exam.
    """
    work.db.execute(delete(Correction).where(Correction.exam_id == exam_id))
    if corrections:
        rows = [
            {"exam_id": exam_id, "question_id": question_id, "accepted": accepted}
            for question_id, accepted in corrections.items()
        ]
        work.db.execute(insert(Correction), rows)
    marked = (
        select(Submission.candidate_id, _percentage(keys.key(work, exam_id)).label("value"))
        .where(Submission.exam_id == exam_id)
        .cte("marked")
    )
    with over_sets(work.db):
        return work.db.scalars(
            update(Score)
            .where(
                Score.exam_id == exam_id,
                Score.candidate_id == marked.c.candidate_id,
                Score.is_auto,
                Score.value != marked.c.value,
            )
            .values(value=marked.c.value)
            .returning(Score.candidate_id),
            execution_options={"synchronize_session": False},
        ).all()


def emit_corrections(work: Work, exam_id: int, candidate_ids: Sequence[UUID]) -> None:
    """Emit `ScoresCorrected` for scores that `correct` has changed, in chunks."""
    for at in range(0, len(candidate_ids), CHUNK):
        work.emit(ScoresCorrected(work, exam_id, candidate_ids[at : at + CHUNK]))


def _score(
    work: Work, exam_id: int, key: Sequence[str], candidate_ids: Sequence[UUID]
) -> Sequence[UUID]:
    """Score the submissions of these candidates that have no score yet, and return the ids of the
    candidates who got a score.

    The statement reads a single table by its primary key, and ON CONFLICT skips existing scores. A
    join could get a bad plan: the rows of an exam all arrive within hours, so PostgreSQL's
    statistics may not cover them yet.
    """
    submitted = (
        select(
            Submission.exam_id,
            Submission.candidate_id,
            _percentage(key),
            literal(True),
            literal(work.now),
        )
        .where(
            Submission.exam_id == exam_id,
            Submission.candidate_id == any_(uuids(candidate_ids)),
        )
        # The order is fixed, so that two transactions that score the same submissions can't
        # deadlock.
        .order_by(Submission.candidate_id)
    )
    columns = ["exam_id", "candidate_id", "value", "is_auto", "recorded_at"]
    return work.db.scalars(
        postgresql.insert(Score)
        .from_select(columns, submitted)
        .on_conflict_do_nothing()
        .returning(Score.candidate_id)
    ).all()


def _percentage(key: Sequence[str]) -> ColumnElement[Decimal]:
    """SQL expression for the score of a submission. At least one question of `key` must count."""
    counted = sum(accepted != "" for accepted in key)
    return rounded_in_sql(literal(Decimal(100)) * keys.right_answers(key) / counted)
