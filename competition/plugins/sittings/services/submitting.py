"""Submissions, stored: a candidate's own, or those that the service makes, as many at once as there
are."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Row, Select, Uuid, any_, literal, select
from sqlalchemy.dialects.postgresql import insert

from competition.core.work import Work
from competition.plugins.sittings.events import SubmissionsStored
from competition.plugins.sittings.models import Submission

_TABLE: Any = Submission.__table__
_NEW = insert(_TABLE).on_conflict_do_nothing().returning(*_TABLE.c)


def store(work: Work, exam_id: int, candidate_id: UUID, answers: str, key_hash: str | None) -> bool:
    """Hand in for a candidate, who does it now: `answers` are packed. False for one who has a
    submission, and keeps it."""
    submission = {
        "exam_id": exam_id,
        "candidate_id": candidate_id,
        "answers": answers,
        "submitted_at": work.now,
        "key_hash": key_hash,
    }
    stored = work.db.change(_NEW, submission)
    if stored:
        work.held[Submission, exam_id, candidate_id] = stored[0]
        work.emit(SubmissionsStored(work, exam_id, [candidate_id]))
    return bool(stored)


def submissions(work: Work, exam_id: int, candidate_ids: Collection[UUID]) -> Sequence[Row[Any]]:
    """The rows of these candidates' submissions; of one that this work has stored there is nothing
    to read."""
    keys = [(Submission, exam_id, each) for each in candidate_ids]
    if all(key in work.held for key in keys):
        return [work.held[key] for key in keys]
    return work.db.execute(
        select(*_TABLE.c).where(
            _TABLE.c.exam_id == exam_id,
            _TABLE.c.candidate_id == any_(literal(list(candidate_ids), ARRAY(Uuid))),
        )
    ).all()


def store_for_candidates(
    work: Work, answers: Select[tuple[int, UUID, str, datetime]]
) -> dict[int, list[UUID]]:
    """Hand in for candidates: `answers` selects exam, candidate, packed answers and the time of the
    submission. Who has a submission keeps it. Returns for whom it was done, by exam."""
    columns = ["exam_id", "candidate_id", "answers", "submitted_at", "handed_in_by"]
    rows = work.db.execute(
        insert(Submission)
        .from_select(columns, answers.add_columns(literal("service")))
        .on_conflict_do_nothing()
        .returning(Submission.exam_id, Submission.candidate_id)
    )
    stored: dict[int, list[UUID]] = defaultdict(list)
    for exam_id, candidate_id in rows:
        stored[exam_id].append(candidate_id)
    for exam_id, candidate_ids in sorted(stored.items()):
        work.emit(SubmissionsStored(work, exam_id, candidate_ids, "service"))
    return stored
