from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import TypedDict
from uuid import UUID

from competition.core.users.models import Candidate, Staff
from competition.core.users.profiles import (
    CandidateProfile,
    StaffProfile,
    candidate_profile,
    staff_profile,
)
from competition.core.web.pagination import Page, Pagination
from competition.core.work import Work
from competition.plugins.exams import schedule
from competition.plugins.exams.models import ALREADY_THERE, Exam, Score, Stage
from competition.plugins.exams.paper import FrozenPaper, PaperQuestion
from competition.plugins.exams.schedule import ExamStatus
from competition.plugins.questions.models import Question as QuestionRow
from competition.plugins.questions.presenters import (
    FailedQuestion,
    Question,
    QuestionPoolData,
    pool_data,
    question,
    question_failures,
)

# Ids with the reason of the failure.
Failures = Iterable[tuple[int, str]]
AUTOMATIC = "Auto Score"


class ExamListItem(TypedDict):
    id: int
    title: str
    stage: Stage
    round: int
    stage_display: str
    question_count: int
    created_at: datetime
    scheduled_date: datetime | None
    status: ExamStatus
    is_active: bool
    concluded_at: datetime | None


class ExamList(TypedDict):
    question_pool_data: QuestionPoolData
    results: list[ExamListItem]
    pagination: Pagination


class ExamFields(TypedDict):
    id: int
    title: str
    stage: Stage
    round: int
    stage_display: str
    description: str
    scheduled_date: datetime | None
    countdown_minutes: int
    open_duration_hours: int
    is_active: bool
    status: ExamStatus
    concluded_at: datetime | None
    question_count: int
    created_by: StaffProfile | None
    updated_by: StaffProfile | None
    average_score: float
    created_at: datetime
    updated_at: datetime


class ExamShape(ExamFields):
    """`questions` are ids, in the order of the paper."""

    questions: list[int]


class ExamQuestionPage(TypedDict):
    question_pool_data: QuestionPoolData
    results: list[Question]
    pagination: Pagination


class ExamDetail(ExamFields):
    questions: ExamQuestionPage


class ExamPaper(TypedDict):
    """What a candidate works on. `server_time` lets a client correct its own clock; after
    `deadline` there is a grace for the way, not for thinking."""

    id: int
    title: str
    stage: Stage
    round: int
    stage_display: str
    description: str
    open_duration_hours: int
    scheduled_date: datetime | None
    countdown_minutes: int
    question_count: int
    questions: list[PaperQuestion]
    server_time: datetime
    started_at: datetime
    deadline: datetime
    seconds_remaining: int


class Message(TypedDict):
    message: str


class ExamResult(TypedDict):
    candidate_id: UUID
    candidate_name: str
    candidate_school: str
    score: float
    auto_score: bool
    score_submitted_by: str
    recorded_at: datetime


class ScoredExam(TypedDict):
    id: int
    title: str
    stage: Stage
    question_count: int
    created_at: datetime


class RecordedScore(TypedDict):
    candidate: CandidateProfile
    exam: ScoredExam
    score: float


class ScoreReceipt(TypedDict):
    message: str
    data: RecordedScore


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
    """`total_operations` is the sum of the others (decisions G14)."""

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


def number(value: Decimal | None) -> float:
    """Two decimals (decisions A5)."""
    return round(float(value or 0), 2)


def exam_list_item(exam: Exam, question_count: int, now: datetime) -> ExamListItem:
    return ExamListItem(
        id=exam.id,
        title=exam.title,
        stage=exam.stage,
        round=exam.round,
        stage_display=exam.stage_display,
        question_count=question_count,
        created_at=exam.created_at,
        scheduled_date=exam.scheduled_date,
        status=schedule.status(exam, now),
        is_active=exam.is_active,
        concluded_at=schedule.concluded_at(exam, now),
    )


def exam_list(
    page: Page[Exam], counts: dict[int, int], pool: QuestionPoolData, now: datetime, url: str
) -> ExamList:
    return ExamList(
        question_pool_data=pool,
        results=[exam_list_item(exam, counts.get(exam.id, 0), now) for exam in page.items],
        pagination=page.pagination(url),
    )


def exam_fields(work: Work, exam: Exam, question_count: int, average: Decimal | None) -> ExamFields:
    return ExamFields(
        **exam_list_item(exam, question_count, work.now),
        description=exam.description,
        countdown_minutes=exam.countdown_minutes,
        open_duration_hours=exam.open_duration_hours,
        created_by=_staff(work, exam.created_by),
        updated_by=_staff(work, exam.updated_by),
        average_score=number(average),
        updated_at=exam.updated_at,
    )


def _staff(work: Work, staff: Staff | None) -> StaffProfile | None:
    return None if staff is None else staff_profile(work, staff)


def exam(work: Work, exam: Exam, question_ids: list[int], average: Decimal | None) -> ExamShape:
    fields = exam_fields(work, exam, len(question_ids), average)
    return ExamShape(**fields, questions=question_ids)


def exam_questions(
    work: Work, questions: Sequence[QuestionRow], paper: FrozenPaper | None
) -> list[Question]:
    """A frozen question reads as candidates see it, whatever became of it in the bank."""
    shown = [question(work, each) for each in questions]
    if paper is not None:
        for each in shown:
            position = paper.positions[each["id"]]
            seen = paper.questions[position]
            each["text"] = seen["text"]
            each["option_a"], each["option_b"] = seen["option_a"], seen["option_b"]
            each["option_c"], each["option_d"] = seen["option_c"], seen["option_d"]
            each["correct_answer"] = paper.answer_key[position]  # type: ignore[typeddict-item]  # A-D
    return shown


def exam_detail(
    work: Work,
    fields: ExamFields,
    page: Page[QuestionRow],
    paper: FrozenPaper | None,
    difficulties: dict[str, int],
    url: str,
) -> ExamDetail:
    questions = ExamQuestionPage(
        question_pool_data=pool_data(difficulties),
        results=exam_questions(work, page.items, paper),
        pagination=page.pagination(url),
    )
    return ExamDetail(**fields, questions=questions)


def paper(
    exam: Exam, questions: list[PaperQuestion], started_at: datetime, now: datetime
) -> ExamPaper:
    deadline = schedule.deadline(exam, started_at)
    return ExamPaper(
        id=exam.id,
        title=exam.title,
        stage=exam.stage,
        round=exam.round,
        stage_display=exam.stage_display,
        description=exam.description,
        open_duration_hours=exam.open_duration_hours,
        scheduled_date=exam.scheduled_date,
        countdown_minutes=exam.countdown_minutes,
        question_count=len(questions),
        questions=questions,
        server_time=now,
        started_at=started_at,
        deadline=deadline,
        seconds_remaining=max(0, int((deadline - now).total_seconds())),
    )


def score_submitted_by(score: Score, recorded_by: str | None) -> str:
    """`recorded_by` is the person's full name; nobody's, if the account is gone."""
    return AUTOMATIC if score.is_auto else recorded_by or ""


def exam_result(score: Score, candidate: Candidate, recorded_by: Staff | None) -> ExamResult:
    return ExamResult(
        candidate_id=candidate.id,
        candidate_name=candidate.full_name,
        candidate_school=candidate.school,
        score=number(score.value),
        auto_score=score.is_auto,
        score_submitted_by=score_submitted_by(
            score, recorded_by.full_name if recorded_by else None
        ),
        recorded_at=score.recorded_at,
    )


def score_receipt(
    work: Work, exam: Exam, candidate: Candidate, score: Score, question_count: int, updated: bool
) -> ScoreReceipt:
    return ScoreReceipt(
        message=f"The score was {'updated' if updated else 'submitted'}.",
        data=RecordedScore(
            candidate=candidate_profile(work, candidate),
            exam=scored_exam(exam, question_count),
            score=number(score.value),
        ),
    )


def scored_exam(exam: Exam, question_count: int) -> ScoredExam:
    return ScoredExam(
        id=exam.id,
        title=exam.title,
        stage=exam.stage,
        question_count=question_count,
        created_at=exam.created_at,
    )


def link_report(
    question_id: int,
    added: Iterable[Exam],
    removed: Iterable[Exam],
    failed_additions: Failures,
    failed_removals: Failures,
) -> LinkReport:
    return LinkReport(
        question_id=question_id,
        added=[LinkedExam(exam_id=exam.id, exam_title=exam.title) for exam in added],
        removed=[LinkedExam(exam_id=exam.id, exam_title=exam.title) for exam in removed],
        failed_additions=_failed_links(failed_additions),
        failed_removals=_failed_links(failed_removals),
    )


def bulk_report(
    total: int,
    added: Sequence[tuple[int, Exam]],
    skipped: Sequence[tuple[int, Exam]],
    failed_questions: Failures,
    failed_exams: Failures,
) -> BulkReport:
    return BulkReport(
        summary=BulkSummary(
            total_operations=total,
            successful=len(added),
            skipped=len(skipped),
            failed=total - len(added) - len(skipped),
        ),
        details=BulkDetails(
            added=[
                AddedQuestion(question_id=question_id, exam_id=exam.id, exam_title=exam.title)
                for question_id, exam in added
            ],
            skipped=[
                SkippedQuestion(question_id=question_id, exam_id=exam.id, reason=ALREADY_THERE)
                for question_id, exam in skipped
            ],
            failed_questions=question_failures(failed_questions),
            failed_exams=_failed_links(failed_exams),
        ),
    )


def _failed_links(failures: Failures) -> list[FailedLink]:
    return [FailedLink(exam_id=exam_id, reason=reason) for exam_id, reason in failures]
