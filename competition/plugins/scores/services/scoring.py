"""Automatic scores: the percentage of answers that are those of the frozen key (decisions G22)."""

from collections.abc import Collection, Sequence
from decimal import Decimal
from uuid import UUID

from sqlalchemy import ARRAY, Uuid, any_, bindparam, delete, func, literal, null, select
from sqlalchemy.dialects.postgresql import insert

from competition.core.work import Work
from competition.plugins.exams.models import Paper
from competition.plugins.scores.events import ScoresRecorded
from competition.plugins.scores.models import Score
from competition.plugins.sittings.models import Submission

# Submissions that one statement scores, and one event tells of.
CHUNK = 10_000


def score_submissions(
    work: Work, exam_id: int, candidate_ids: Collection[UUID] | None = None
) -> None:
    """Score what is not scored yet, of these candidates or of all, a chunk at a time.

    A score that is there, automatic or manual, stays as it is: it may run any number of times.
    """
    keeps_closed = select(Paper.answer_key).where(Paper.exam_id == exam_id)
    key = work.db.scalar(keeps_closed.with_for_update(read=True, key_share=True))
    if key is None:
        return
    if candidate_ids is None:
        of_exam = select(Submission.candidate_id).where(Submission.exam_id == exam_id)
        candidate_ids = work.db.scalars(of_exam).all()
    in_order = sorted(candidate_ids)
    for at in range(0, len(in_order), CHUNK):
        if scored := _score(work, exam_id, key, in_order[at : at + CHUNK]):
            work.emit(ScoresRecorded(work, exam_id, scored))


def unscore(work: Work, exam_id: int, candidate_ids: Collection[UUID]) -> None:
    """Take back the automatic scores of these candidates."""
    are_theirs = (Score.exam_id == exam_id, Score.candidate_id.in_(candidate_ids), Score.is_auto)
    work.db.execute(delete(Score).where(*are_theirs))


def _score(work: Work, exam_id: int, key: str, candidate_ids: Sequence[UUID]) -> Sequence[UUID]:
    """Score what is not scored yet; returns who was. One table is read, by its key, and the
    constraint says what is there already. There is no join whose order could be guessed wrong: an
    exam's rows all come within hours, and the planner may not have heard of them."""
    # Character by character; null separates them all.
    marked = (
        func.unnest(
            func.string_to_array(Submission.answers, null()),
            func.string_to_array(key, null()),
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
    submitted = (
        select(
            Submission.exam_id,
            Submission.candidate_id,
            func.round(literal(Decimal(100)) * correct / len(key), 2),
            literal(True),
            literal(work.now),
        )
        .where(
            Submission.exam_id == exam_id,
            Submission.candidate_id
            == any_(bindparam("candidate_ids", list(candidate_ids), type_=ARRAY(Uuid()))),
        )
        # Two who score the same wait for each other in one order.
        .order_by(Submission.candidate_id)
    )
    columns = ["exam_id", "candidate_id", "value", "is_auto", "recorded_at"]
    return work.db.scalars(
        insert(Score)
        .from_select(columns, submitted)
        .on_conflict_do_nothing()
        .returning(Score.candidate_id)
    ).all()
