"""Reports on adding questions to exams and removing them."""

from typing import TypedDict

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
    """Counts of a bulk addition. `total_operations` is the sum of the other three."""

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
