from collections.abc import Sequence
from datetime import datetime
from typing import Literal, NotRequired, TypedDict
from uuid import UUID

from competition.core.lists import Page, Pagination
from competition.core.users.affiliations import Affiliations
from competition.core.work import Work
from competition.plugins.clarifications import models
from competition.plugins.clarifications.models import ClarificationStatus, ExamMessage
from competition.plugins.exams.models import Exam


class AskingCandidate(TypedDict):
    user_id: UUID
    full_name: str
    school: str


class Clarification(TypedDict):
    """A candidate's question about an exam. `exam` and `question` are ids. `text` is null if
    another candidate asked. Only staff see `candidate`. Until staff have decided, `answer` and
    `answered_at` are null."""

    id: int
    exam: int
    question: int | None
    text: str | None
    status: ClarificationStatus
    answer: str | None
    public: bool
    asked_at: datetime
    answered_at: datetime | None
    candidate: NotRequired[AskingCandidate]


class ClarificationList(TypedDict):
    results: list[Clarification]
    pagination: Pagination


class OpenClarification(Clarification):
    """A question of a candidate, with the title of its exam."""

    exam_title: str


class OpenClarificationList(TypedDict):
    results: list[OpenClarification]
    pagination: Pagination


class Announcement(TypedDict):
    """A message from staff to all candidates of an exam."""

    id: int
    exam: int
    text: str
    created_at: datetime


class AnnouncementList(TypedDict):
    results: list[Announcement]
    pagination: Pagination


class ExamMessageContent(TypedDict):
    """An answer or an announcement. `text` is null if the candidate's question was dismissed."""

    exam: int
    kind: Literal["answer", "announcement"]
    id: int
    question: int | None
    text: str | None
    created_at: datetime


class ExamMessageActivity(TypedDict):
    """A new answer or announcement. The service sends it to candidates who are taking the exam."""

    type: Literal["exam_message"]
    message: ExamMessageContent


class OpenQuestions(TypedDict):
    exam: int
    open: int


class ExamQuestionActivity(TypedDict):
    """How many questions of candidates are open in an exam. The service sends this to staff who
    follow the exam, when the number has changed."""

    type: Literal["exam_question"]
    message: OpenQuestions


def clarification(
    work: Work, row: models.Clarification, school: str | None = None
) -> Clarification:
    """A question as the caller sees it. For callers who are staff, `row.candidate` has to be
    loaded. `school` is the candidate's school in the exam's season, unless that is the current
    season."""
    shown = Clarification(
        id=row.id,
        exam=row.exam_id,
        question=row.question_id,
        text=row.text,
        status=row.status,
        answer=row.answer,
        public=row.is_public,
        asked_at=row.asked_at,
        answered_at=row.answered_at,
    )
    if work.identity.kind == "staff":
        shown["candidate"] = AskingCandidate(
            user_id=row.candidate.id,
            full_name=row.candidate.full_name,
            school=row.candidate.school if school is None else school,
        )
    elif row.candidate_id != work.identity.user_id:
        shown["text"] = None
    return shown


def clarification_list(
    work: Work, exam: Exam | None, page: Page[models.Clarification], url: str
) -> ClarificationList:
    """The questions of a page. `exam` is their exam if the caller is a member of staff. Candidates
    see no schools, so it is None for them."""
    if exam is None:
        shown = [clarification(work, row) for row in page.items]
    else:
        shown = _with_schools(work, [(row, exam) for row in page.items])
    return ClarificationList(results=shown, pagination=page.pagination(url))


def open_clarification_list(
    work: Work, page: Page[tuple[models.Clarification, Exam]], url: str
) -> OpenClarificationList:
    """The open questions of a page, each with the title of its exam."""
    shown = _with_schools(work, page.items)
    return OpenClarificationList(
        results=[
            OpenClarification(**each, exam_title=exam.title)
            for each, (_, exam) in zip(shown, page.items, strict=True)
        ],
        pagination=page.pagination(url),
    )


def _with_schools(
    work: Work, rows: Sequence[tuple[models.Clarification, Exam]]
) -> list[Clarification]:
    then = Affiliations(work, [(exam, row.candidate) for row, exam in rows])
    return [clarification(work, row, then.of(exam, row.candidate).school) for row, exam in rows]


def announcement(row: models.Announcement) -> Announcement:
    return Announcement(id=row.id, exam=row.exam_id, text=row.text, created_at=row.created_at)


def announcement_list(page: Page[models.Announcement], url: str) -> AnnouncementList:
    return AnnouncementList(
        results=[announcement(row) for row in page.items], pagination=page.pagination(url)
    )


def exam_message(row: ExamMessage) -> ExamMessageActivity:
    """The WebSocket frame of a message. `row.announcement` and `row.clarification` have to be
    loaded; one of them is None."""
    if row.announcement is not None:
        content = ExamMessageContent(
            exam=row.exam_id,
            kind="announcement",
            id=row.announcement.id,
            question=None,
            text=row.announcement.text,
            created_at=row.created_at,
        )
    else:
        asked = row.clarification
        assert asked is not None
        content = ExamMessageContent(
            exam=row.exam_id,
            kind="answer",
            id=asked.id,
            question=asked.question_id,
            text=asked.answer,
            created_at=row.created_at,
        )
    return ExamMessageActivity(type="exam_message", message=content)


def exam_question(exam_id: int, count: int) -> ExamQuestionActivity:
    message = OpenQuestions(exam=exam_id, open=count)
    return ExamQuestionActivity(type="exam_question", message=message)
