from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from sqlalchemy import Row

from competition.plugins.drafts import models
from competition.plugins.exams.models import FrozenPaper
from competition.plugins.sittings.models import UNANSWERED
from competition.plugins.sittings.presenters import seconds_remaining


class DraftAnswer(TypedDict):
    question: int
    selected_option: str


class Draft(TypedDict):
    """The answers that a candidate has saved so far. Before the first save, `sequence` is 0 and
    `saved_at` is null. Questions without an answer are left out."""

    sequence: int
    answered: int
    saved_at: datetime | None
    answers: list[DraftAnswer]


class SavedDraft(TypedDict):
    """The result of a save, and the state of the draft after it. If `applied` is false, this save
    changed nothing, and `sequence` and `saved_at` are those of the latest save in the draft."""

    applied: bool
    sequence: int
    answered: int
    saved_at: datetime
    server_time: datetime
    deadline: datetime
    seconds_remaining: int


class ReopenedAttempt(TypedDict):
    """An attempt whose submission was taken back. `submitted_at` is null from now on."""

    exam: int
    candidate_id: UUID
    submitted_at: datetime | None
    deadline: datetime
    seconds_remaining: int


def reopened_attempt(
    exam_id: int, candidate_id: UUID, deadline: datetime, now: datetime
) -> ReopenedAttempt:
    return ReopenedAttempt(
        exam=exam_id,
        candidate_id=candidate_id,
        submitted_at=None,
        deadline=deadline,
        seconds_remaining=seconds_remaining(deadline, now),
    )


def draft(row: models.Draft | Row[Any] | None, paper: FrozenPaper | None) -> Draft:
    if row is None or paper is None:
        return Draft(sequence=0, answered=0, saved_at=None, answers=[])
    given = [
        DraftAnswer(question=question_id, selected_option=answer)
        for question_id, answer in zip(paper.question_ids, row.answers, strict=True)
        if answer != UNANSWERED
    ]
    return Draft(sequence=row.sequence, answered=len(given), saved_at=row.saved_at, answers=given)


def saved_draft(saved: models.Saved, now: datetime) -> SavedDraft:
    return SavedDraft(
        applied=saved.is_applied,
        sequence=saved.sequence,
        answered=len(saved.answers) - saved.answers.count(UNANSWERED),
        saved_at=saved.saved_at,
        server_time=now,
        deadline=saved.deadline,
        seconds_remaining=seconds_remaining(saved.deadline, now),
    )
