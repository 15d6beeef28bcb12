"""Scores given by staff (decisions G24)."""

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy import exists, select, update
from sqlalchemy.dialects.postgresql import insert

from competition.core import audit
from competition.core.errors import Invalid
from competition.core.messages import Message
from competition.core.users import accounts
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import eligibility
from competition.plugins.scores.events import ScoresRecorded
from competition.plugins.scores.models import Score

NOT_JOINED = Message(
    "This candidate has not joined this season yet, so a score would not count. The candidate can"
    " join in the portal, or you can import the candidate. Then give the score again."
)


def record_score(
    work: Work, exam: Exam, candidate_id: str, value: float
) -> tuple[Candidate, Score, bool]:
    """Store a score given by staff; it replaces an earlier score.

    Returns the candidate, the score, and whether there was a score before. The caller must have
    locked `exam` against deletion.

    Raises Invalid if there is no such candidate, if the account was erased, or if the candidate has
    no score in the exam and has not joined its season.
    """
    candidate = _candidate(work, candidate_id)
    if not eligibility.has_joined(exam, candidate):
        _check_has_score(work, exam, candidate)
    given = {
        "value": value,
        "is_auto": False,
        "recorded_by_id": work.identity.user_id,
        "recorded_at": work.now,
    }
    # RETURNING gives the stored value, which is rounded to two decimals.
    score = work.db.scalar(
        insert(Score)
        .values(exam_id=exam.id, candidate_id=candidate.id, **given)
        .on_conflict_do_nothing()
        .returning(Score)
    )
    before = None
    if score is None:
        recorded = work.db.get_one(Score, (exam.id, candidate.id), with_for_update=True)
        before = (recorded.value, recorded.is_auto)
        score = work.db.scalars(
            update(Score)
            .where(Score.exam_id == exam.id, Score.candidate_id == candidate.id)
            .values(given)
            .returning(Score),
            execution_options={"populate_existing": True},
        ).one()
    audit.record(
        work,
        "score.record",
        target=candidate.id,
        subject=f"exam {exam.id}",
        old=None if before is None else float(before[0]),
        new=value,
    )
    if before != (score.value, score.is_auto):
        work.emit(ScoresRecorded(work, exam.id, [candidate.id]))
    return candidate, score, before is not None


def _candidate(work: Work, candidate_id: str) -> Candidate:
    try:
        candidate = work.db.get(Candidate, UUID(candidate_id))
    except ValueError:
        candidate = None
    if candidate is None:
        raise Invalid.field(
            "candidate_id", Message("There is no candidate with this id. Check the id.")
        )
    if not accounts.keep_from_erasure(work, [candidate.id]):
        # The ranks of an erased candidate never change (decisions P6), so no score can be given.
        raise Invalid.field("candidate_id", accounts.ERASED)
    return candidate


def _check_has_score(work: Work, exam: Exam, candidate: Candidate) -> None:
    """Raise Invalid if a candidate who has not joined the season has no score to correct."""
    is_theirs = (Score.exam_id == exam.id, Score.candidate_id == candidate.id)
    if not work.db.scalar(select(exists().where(*is_theirs))):
        raise Invalid.field("candidate_id", NOT_JOINED)


def record_scores(
    work: Work,
    exam_id: int,
    given: Mapping[UUID, float],
    before: Mapping[UUID, float | None],
) -> None:
    """Store scores given by staff, which replace earlier ones, and record each in the audit trail.

    `given` has the new scores and `before` the earlier ones, both by candidate id. The caller
    must have locked the exam against deletion, and the scores.
    """
    if not given:
        return
    columns = {
        "exam_id": exam_id,
        "is_auto": False,
        "recorded_by_id": work.identity.user_id,
        "recorded_at": work.now,
    }
    new = insert(Score)
    changed = {
        name: new.excluded[name] for name in ("value", "is_auto", "recorded_by_id", "recorded_at")
    }
    upserted = new.on_conflict_do_update(index_elements=["exam_id", "candidate_id"], set_=changed)
    ids = sorted(given)
    work.db.execute(
        upserted, [{**columns, "candidate_id": each, "value": given[each]} for each in ids]
    )
    for each in ids:
        audit.record(
            work,
            "score.record",
            target=each,
            subject=f"exam {exam_id}",
            old=before[each],
            new=given[each],
        )
    work.emit(ScoresRecorded(work, exam_id, ids))
