"""Submissions that the service makes for candidates, as many at once as there are."""

from collections import defaultdict
from datetime import datetime
from uuid import UUID

from sqlalchemy import Select, literal
from sqlalchemy.dialects.postgresql import insert

from competition.core.work import Work
from competition.plugins.sittings.events import SubmissionsStored
from competition.plugins.sittings.models import Submission


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
