from datetime import datetime
from typing import Literal, NotRequired, TypedDict
from uuid import UUID

from competition.core.lists import Page, Pagination
from competition.core.work import Work
from competition.plugins.clarifications import models
from competition.plugins.clarifications.models import ClarificationStatus, MessageKind


class AskingCandidate(TypedDict):
    user_id: UUID
    full_name: str
    school: str


class Clarification(TypedDict):
    """What a candidate asked during an exam. Only staff see the `candidate`. Others than the
    candidate and staff see a public answer without the question: `text` is null."""

    id: int
    exam: int
    candidate: NotRequired[AskingCandidate]
    question: int | None
    text: str | None
    status: ClarificationStatus
    answer: str | None
    public: bool
    asked_at: datetime
    answered_at: datetime | None


class ClarificationList(TypedDict):
    results: list[Clarification]
    pagination: Pagination


class Announcement(TypedDict):
    """What staff told everybody who takes an exam."""

    id: int
    exam: int
    text: str
    created_at: datetime


class AnnouncementList(TypedDict):
    results: list[Announcement]
    pagination: Pagination


class ExamMessage(TypedDict):
    """An answer or an announcement. `id` is that of the clarification or of the announcement, and
    `text` the answer; it is null if the clarification was dismissed."""

    exam: int
    kind: MessageKind
    id: int
    question: int | None
    text: str | None
    created_at: datetime


class ExamMessageActivity(TypedDict):
    """An answer or an announcement for a candidate who is taking the exam."""

    type: Literal["exam_message"]
    message: ExamMessage


class OpenQuestions(TypedDict):
    exam: int
    open: int


class ExamQuestionActivity(TypedDict):
    """The number of clarifications that are waiting for an answer. Sent to staff who follow the
    exam."""

    type: Literal["exam_question"]
    message: OpenQuestions


def clarification(work: Work, row: models.Clarification) -> Clarification:
    is_staff = work.identity.kind == "staff"
    is_own = row.candidate_id == work.identity.user_id
    shown = Clarification(
        id=row.id,
        exam=row.exam_id,
        question=row.question_id,
        text=row.text if is_staff or is_own else None,
        status=row.status,
        answer=row.answer,
        public=row.public,
        asked_at=row.asked_at,
        answered_at=row.answered_at,
    )
    if is_staff:
        shown["candidate"] = AskingCandidate(
            user_id=row.candidate.id,
            full_name=row.candidate.full_name,
            school=row.candidate.school,
        )
    return shown


def clarification_list(work: Work, page: Page[models.Clarification], url: str) -> ClarificationList:
    return ClarificationList(
        results=[clarification(work, row) for row in page.items], pagination=page.pagination(url)
    )


def announcement(row: models.Announcement) -> Announcement:
    return Announcement(id=row.id, exam=row.exam_id, text=row.text, created_at=row.created_at)


def announcement_list(page: Page[models.Announcement], url: str) -> AnnouncementList:
    return AnnouncementList(
        results=[announcement(row) for row in page.items], pagination=page.pagination(url)
    )


def message_activity(candidate_id: UUID, row: models.ExamMessage) -> ExamMessageActivity | None:
    """The frame of a message; None if it no longer concerns this candidate, because an answer that
    was public has been replaced by a private one."""
    if row.announcement is not None:
        told = ExamMessage(
            exam=row.exam_id,
            kind="announcement",
            id=row.announcement.id,
            question=None,
            text=row.announcement.text,
            created_at=row.created_at,
        )
        return ExamMessageActivity(type="exam_message", message=told)
    about = row.clarification
    if about is None or not (about.public or about.candidate_id == candidate_id):
        return None
    told = ExamMessage(
        exam=row.exam_id,
        kind="answer",
        id=about.id,
        question=about.question_id,
        text=about.answer,
        created_at=row.created_at,
    )
    return ExamMessageActivity(type="exam_message", message=told)


def question_activity(exam_id: int, open_count: int) -> ExamQuestionActivity:
    return ExamQuestionActivity(
        type="exam_question", message=OpenQuestions(exam=exam_id, open=open_count)
    )
