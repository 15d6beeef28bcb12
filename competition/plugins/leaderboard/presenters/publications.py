"""Build replies about scheduled and past publications."""

from collections.abc import Sequence
from datetime import datetime
from typing import NotRequired, TypedDict

from competition.core.lists import Page, Pagination
from competition.plugins.exams.models import Exam
from competition.plugins.exams.presenters.exams import ExamHead, exam_head
from competition.plugins.leaderboard import models
from competition.plugins.leaderboard.models import PublicationStatus


class Publication(TypedDict):
    """A publication of an exam's leaderboard. `exam` is the id of the exam. A scheduled publication
    happens at `publish_at`, or later, once no candidate can submit the exam any longer."""

    id: int
    exam: int
    publish_at: datetime
    status: PublicationStatus
    created_at: datetime


class PublicationStarted(TypedDict):
    """The reply to a request to publish. `publications` is only present if the request has
    `exams`."""

    message: str
    publications: NotRequired[list[Publication]]


class PublicationList(TypedDict):
    results: list[Publication]
    pagination: Pagination


def publication(row: models.Publication) -> Publication:
    return Publication(
        id=row.id,
        exam=row.exam_id,
        publish_at=row.publish_at,
        status=row.status,
        created_at=row.created_at,
    )


def publication_list(page: Page[models.Publication], url: str) -> PublicationList:
    return PublicationList(
        results=[publication(row) for row in page.items], pagination=page.pagination(url)
    )


class PreviewedLeaderboard(ExamHead):
    """A leaderboard that would be published. `candidates` counts the candidates who have submitted.
    If `is_over` is false, a candidate can still submit the exam."""

    candidates: int
    is_over: bool


class PublicationPreview(TypedDict):
    exams: list[PreviewedLeaderboard]


def publication_preview(found: Sequence[tuple[Exam, int, bool]]) -> PublicationPreview:
    return PublicationPreview(
        exams=[
            PreviewedLeaderboard(**exam_head(exam), candidates=candidates, is_over=is_over)
            for exam, candidates, is_over in found
        ]
    )
