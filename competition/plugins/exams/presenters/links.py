"""Reports on adding questions to exams and removing them."""

from datetime import datetime
from typing import Annotated, Any, NotRequired, TypedDict

from sqlalchemy import Row

from competition.core.lists import Page, Pagination
from competition.core.slots import Contributed, spread
from competition.core.work import Work
from competition.plugins.exams.models import Exam, ExamStatus, status_of
from competition.plugins.exams.offered_slots import EXAM_OF_QUESTION
from competition.plugins.exams.presenters.exams import ExamHead, exam_head
from competition.plugins.questions.presenters import FailedQuestion


class LinkedExam(TypedDict):
    exam_id: int
    exam_title: str


class FailedLink(TypedDict):
    exam_id: int
    reason: str


class LinkReport(TypedDict):
    question_id: int
    added: list[LinkedExam]
    removed: list[LinkedExam]
    failed_additions: list[FailedLink]
    failed_removals: list[FailedLink]


class BulkSummary(TypedDict):
    """Counts of a bulk addition, in which each question is counted once for each exam.
    `total_operations` is the sum of the other three counts."""

    total_operations: int
    successful: int
    skipped: int
    failed: int


class AddedQuestion(TypedDict):
    question_id: int
    exam_id: int
    exam_title: str


class SkippedQuestion(TypedDict):
    question_id: int
    exam_id: int
    reason: str


class BulkDetails(TypedDict):
    added: list[AddedQuestion]
    skipped: list[SkippedQuestion]
    failed_questions: list[FailedQuestion]
    failed_exams: list[FailedLink]


class BulkReport(TypedDict):
    summary: BulkSummary
    details: BulkDetails


class ExamOfQuestion(ExamHead):
    """An exam that asks a question. `position` is the question's place in the paper, from 1."""

    status: ExamStatus
    scheduled_date: datetime | None
    position: int
    contributed: NotRequired[Annotated[Contributed, EXAM_OF_QUESTION]]


class QuestionExamList(TypedDict):
    results: list[ExamOfQuestion]
    pagination: Pagination


class QuestionExams(TypedDict):
    """How many exams ask a question, drafts included, and the latest of them. A draft counts as
    later than all exams that have a date. `latest` is null if no exam asks the question."""

    count: int
    latest: ExamHead | None


def exams_of_question(latest: Row[Any] | None) -> QuestionExams:
    if latest is None:
        return QuestionExams(count=0, latest=None)
    return QuestionExams(count=latest.exams, latest=exam_head(latest))


def question_exams(
    work: Work, question_id: int, page: Page[tuple[Exam, int]], url: str
) -> QuestionExamList:
    added = EXAM_OF_QUESTION.load(work, [(exam.id, question_id) for exam, _ in page.items])
    return QuestionExamList(
        results=[
            spread(
                ExamOfQuestion(
                    **exam_head(exam),
                    status=status_of(exam, work.now),
                    scheduled_date=exam.scheduled_date,
                    position=position,
                    contributed=fields,
                )
            )
            for (exam, position), fields in zip(page.items, added, strict=True)
        ],
        pagination=page.pagination(url),
    )
