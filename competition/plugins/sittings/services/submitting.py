"""Storing submissions: one that a candidate makes, or many that the service makes for them."""

from collections import defaultdict
from datetime import datetime
from uuid import UUID

from sqlalchemy import Select, bindparam, literal
from sqlalchemy.dialects.postgresql import insert

from competition.core.work import Work
from competition.plugins.sittings.events import SubmissionsStored
from competition.plugins.sittings.models import Submission

STORE = (
    insert(Submission)
    .values(
        exam_id=bindparam("exam_id"),
        candidate_id=bindparam("candidate_id"),
        answers=bindparam("answers"),
        submitted_at=bindparam("submitted_at"),
        key_hash=bindparam("key_hash"),
    )
    .on_conflict_do_nothing()
    .returning(Submission)
)


def store(work: Work, exam_id: int, candidate_id: UUID, answers: str, key_hash: str | None) -> bool:
    """Store the answers, packed, that a candidate submits now. False if there was a submission
    already: the primary key decides, and it stays as it is."""
    stored = work.db.scalar(
        STORE,
        {
            "exam_id": exam_id,
            "candidate_id": candidate_id,
            "answers": answers,
            "submitted_at": work.now,
            "key_hash": key_hash,
        },
    )
    if stored is not None:
        work.emit(SubmissionsStored(work, exam_id, [stored]))
    return stored is not None


def store_for_candidates(
    work: Work, answers: Select[tuple[int, UUID, str, datetime]]
) -> dict[int, list[UUID]]:
    """Submit on behalf of candidates. `answers` selects exam, candidate, packed answers and the
    time of the submission; a candidate who has a submission keeps it. Returns the candidates whose
    answers were submitted, by exam."""
    columns = ["exam_id", "candidate_id", "answers", "submitted_at", "handed_in_by"]
    rows = work.db.scalars(
        insert(Submission)
        .from_select(columns, answers.add_columns(literal("service")))
        .on_conflict_do_nothing()
        .returning(Submission)
    )
    stored: dict[int, list[Submission]] = defaultdict(list)
    for submission in rows:
        stored[submission.exam_id].append(submission)
    for exam_id, submissions in sorted(stored.items()):
        work.emit(SubmissionsStored(work, exam_id, submissions, "service"))
    return {
        exam_id: [each.candidate_id for each in submissions]
        for exam_id, submissions in stored.items()
    }
