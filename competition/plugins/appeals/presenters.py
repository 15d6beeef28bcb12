from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict
from uuid import UUID

from competition.core.lists import Page, Pagination
from competition.core.users.affiliations import Affiliation, Affiliations
from competition.core.work import Work
from competition.plugins.appeals import models
from competition.plugins.appeals.models import AppealStatus
from competition.plugins.exams.models import Stage


class AppealingCandidate(TypedDict):
    user_id: UUID
    full_name: str
    school: str


class Appeal(TypedDict):
    """An appeal. `exam`, `question` and `regrade` are ids. If `question` is null, the appeal is
    about the whole result. `regrade` is the regrade that the appeal led to, if staff named one.
    Until staff answer, `answer`, `regrade` and `answered_at` are null."""

    id: int
    exam: int
    exam_title: str
    stage: Stage
    round: int
    candidate: AppealingCandidate
    question: int | None
    question_number: int | None
    text: str
    status: AppealStatus
    answer: str | None
    regrade: int | None
    created_at: datetime
    answered_at: datetime | None


class AppealList(TypedDict):
    results: list[Appeal]
    pagination: Pagination


def appeal(work: Work, row: models.Appeal) -> Appeal:
    [shown] = _appeals(work, [row])
    return shown


def appeal_list(work: Work, page: Page[models.Appeal], url: str) -> AppealList:
    return AppealList(results=_appeals(work, page.items), pagination=page.pagination(url))


def _appeals(work: Work, rows: Sequence[models.Appeal]) -> list[Appeal]:
    then = Affiliations(work, [(row.exam, row.candidate) for row in rows])
    return [_appeal(row, then.of(row.exam, row.candidate)) for row in rows]


def _appeal(row: models.Appeal, then: Affiliation) -> Appeal:
    return Appeal(
        id=row.id,
        exam=row.exam_id,
        exam_title=row.exam.title,
        stage=row.exam.stage,
        round=row.exam.round,
        candidate=AppealingCandidate(
            user_id=row.candidate.id,
            full_name=row.candidate.full_name,
            school=then.school,
        ),
        question=row.question_id,
        question_number=row.question_number,
        text=row.text,
        status=row.status,
        answer=row.answer,
        regrade=row.regrade_id,
        created_at=row.created_at,
        answered_at=row.answered_at,
    )
