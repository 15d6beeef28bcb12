"""Build replies about scheduled and past publications."""

from collections.abc import Sequence
from datetime import datetime
from typing import NotRequired, TypedDict

from competition.core.lists import Page, Pagination
from competition.plugins.exams.models import Exam
from competition.plugins.exams.presenters.exams import ExamHead
from competition.plugins.leaderboard import models
from competition.plugins.leaderboard.models import PublicationStatus


class Publication(TypedDict):
    """A publication of an exam's leaderboard. `exam` is the id of the exam. A scheduled publication
    happens at `publish_at`, or later, once no candidate can submit the exam any longer:
    `expected_at` is the latest time at which it happens."""

    id: int
    exam: int
    publish_at: datetime
    expected_at: datetime | None
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


def publication(found: models.Expected) -> Publication:
    row = found.publication
    return Publication(
        id=row.id,
        exam=row.exam_id,
        publish_at=row.publish_at,
        expected_at=found.expected_at,
        status=row.status,
        created_at=row.created_at,
    )


def publication_list(
    page: Page[models.Publication], found: Sequence[models.Expected], url: str
) -> PublicationList:
    return PublicationList(
        results=[publication(each) for each in found], pagination=page.pagination(url)
    )


class OtherExam(TypedDict):
    id: int
    title: str


class PreviewedLeaderboard(ExamHead):
    """A leaderboard that would be published. `candidates` counts the candidates who have a
    submission or a score. If `is_over` is false, a candidate can still submit the exam, until
    `hand_in_until`.

    If another exam of the same stage and round is published too, readers find the leaderboard of
    the later exam under the stage and round. If that is this exam, `replaces` is the exam whose
    leaderboard they found before. Otherwise, `replaced_by` is the exam whose leaderboard they find.
    """

    candidates: int
    is_over: bool
    hand_in_until: datetime | None
    published_at: datetime | None
    replaces: OtherExam | None
    replaced_by: OtherExam | None


class PublicationPreview(TypedDict):
    exams: list[PreviewedLeaderboard]


def other_exam(exam: Exam) -> OtherExam:
    return OtherExam(id=exam.id, title=exam.title)
