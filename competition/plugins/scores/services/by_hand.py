"""Scores given by staff (decisions G24)."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from competition.core import audit
from competition.core.errors import Invalid, NotFound
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import planning
from competition.plugins.scores.models import Score


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
