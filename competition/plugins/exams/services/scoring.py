"""Scores: computed from the frozen key, or given by staff (decisions G22 to G26)."""

from collections.abc import Collection
from decimal import Decimal
from uuid import UUID

from sqlalchemy import func, literal, null, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import aliased

from competition.core import audit
from competition.core.errors import Invalid, NotFound
from competition.core.users.models import Candidate, Staff
from competition.core.work import Work
from competition.plugins.exams.models import Exam, Paper, Score, Submission
from competition.plugins.exams.services import planning


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
    work.db.execute(insert(Score).from_select(columns, submitted).on_conflict_do_nothing())


def record_score(
    work: Work, exam_id: int, candidate_id: str, value: float
) -> tuple[Exam, Candidate, Score, bool]:
    """A score given by hand; the last item says whether there was one before.

    Raises NotFound for the exam, Invalid for the candidate.
    """
    exam = planning.get(work, exam_id)
    candidate = _candidate(work, candidate_id)
    given = {
        "value": value,
        "is_auto": False,
        "recorded_by_id": work.identity.user_id,
        "recorded_at": work.now,
    }
    # Shared: it can't be deleted before this is committed.
    alive = select(Exam.id).where(Exam.id == exam_id, Exam.deleted_at.is_(None))
    if work.db.scalar(alive.with_for_update(read=True, key_share=True)) is None:
        raise NotFound
    inserted = work.db.execute(
        insert(Score)
        .values(exam_id=exam_id, candidate_id=candidate.id, **given)
        .on_conflict_do_nothing()
        .returning(Score.exam_id)
    ).one_or_none()
    score = work.db.get_one(Score, (exam_id, candidate.id), with_for_update=True)
    before = None
    if inserted is None:
        before = float(score.value)
        for name, new in given.items():
            setattr(score, name, new)
        work.db.flush()
        work.db.refresh(score)
    audit.record(
        work, "score.record", target=candidate.id, subject=f"exam {exam_id}", old=before, new=value
    )
    return exam, candidate, score, inserted is None


def _candidate(work: Work, candidate_id: str) -> Candidate:
    try:
        candidate = work.db.get(Candidate, UUID(candidate_id))
    except ValueError:
        candidate = None
    if candidate is None:
        raise Invalid.field("candidate_id", "There is no such candidate.")
    return candidate


def results(work: Work, exam_id: int) -> list[tuple[Score, Candidate, Staff | None]]:
    """Score, candidate, and who gave the score; the highest first. Raises NotFound."""
    planning.get(work, exam_id)
    recorded_by = aliased(Staff)
    rows = work.db.execute(
        select(Score, Candidate, recorded_by)
        .join(Candidate, Candidate.id == Score.candidate_id)
        .outerjoin(recorded_by, recorded_by.id == Score.recorded_by_id)
        .where(Score.exam_id == exam_id)
        .order_by(Score.value.desc(), Candidate.last_name, Candidate.first_name, Candidate.id)
    )
    return [(score, candidate, staff) for score, candidate, staff in rows]
