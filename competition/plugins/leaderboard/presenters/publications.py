"""When leaderboards are published."""

from datetime import datetime
from typing import NotRequired, TypedDict

from competition.core.lists import Page, Pagination
from competition.plugins.leaderboard import models
from competition.plugins.leaderboard.models import PublicationStatus


class Publication(TypedDict):
    """`exam` is its id. One that is scheduled is published at `publish_at`, or when nobody can hand
    the exam in any more."""

    id: int
    exam: int
    publish_at: datetime
    status: PublicationStatus


class PublicationStarted(TypedDict):
    """`publications`: of the exams that the request named."""

    message: str
    publications: NotRequired[list[Publication]]


class PublicationList(TypedDict):
    results: list[Publication]
    pagination: Pagination


def publication(row: models.Publication) -> Publication:
    return Publication(id=row.id, exam=row.exam_id, publish_at=row.publish_at, status=row.status)


def publication_list(page: Page[models.Publication], url: str) -> PublicationList:
    return PublicationList(
        results=[publication(row) for row in page.items], pagination=page.pagination(url)
    )
