"""Exams, as staff and candidates see them."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, NotRequired, TypedDict

from sqlalchemy import Row

from competition.core.lists import Page, Pagination
from competition.core.slots import Contributed, spread
from competition.core.users.profiles import StaffProfile, editor_profile
from competition.core.work import Work
from competition.plugins.exams.models import (
    Exam,
    ExamStatus,
    FrozenPaper,
    RankingPolicy,
    ScoresVisible,
    Stage,
    concluded_at,
    status_of,
)
from competition.plugins.exams.offered_slots import EXAM
from competition.plugins.questions.models import Question as QuestionRow
from competition.plugins.questions.presenters import (
    Question,
    QuestionPoolData,
    pool_data,
    question,
)


class ExamHead(TypedDict):
    id: int
    title: str
    stage: Stage
    round: int
    stage_display: str


class ExamListItem(ExamHead):
    season: int
    question_count: int
    created_at: datetime
    scheduled_date: datetime | None
    status: ExamStatus
    is_active: bool
    concluded_at: datetime | None
    published_at: datetime | None


class ExamList(TypedDict):
    question_pool_data: QuestionPoolData
    results: list[ExamListItem]
    pagination: Pagination


class ExamFields(ExamHead):
    season: int
    description: str
    scheduled_date: datetime | None
    countdown_minutes: int
    open_duration_hours: int
    ranking: RankingPolicy
    scores_visible: ScoresVisible | None
    is_active: bool
    status: ExamStatus
    concluded_at: datetime | None
    published_at: datetime | None
    closes_at: datetime | None
    frozen_at: datetime | None
    question_count: int
    created_by: StaffProfile | None
    updated_by: StaffProfile | None
    contributed: NotRequired[Annotated[Contributed, EXAM]]
    created_at: datetime
    updated_at: datetime


class ExamShape(ExamFields):
    """An exam with the ids of its questions, in the order of the paper."""

    questions: list[int]


class ExamCopy(ExamShape):
    """The copy of an exam. `left_out` are the ids of the original's archived questions, which the
    copy does not have."""

    left_out: list[int]


class ExamQuestionPage(TypedDict):
    question_pool_data: QuestionPoolData
    results: list[Question]
    pagination: Pagination


class ExamDetail(ExamFields):
    questions: ExamQuestionPage


class OpenPaper(ExamHead):
    """An exam that has opened, with its questions in the order of the paper."""

    season: int
    status: ExamStatus
    scheduled_date: datetime | None
    closes_at: datetime | None
    frozen_at: datetime | None
    questions: list[Question]


class UpcomingExam(TypedDict):
    id: int
    title: str
    scheduled_date: datetime | None
    is_active: bool
    stage: Stage
    question_count: int
    countdown_minutes: int


class CurrentExam(ExamHead):
    """An exam that is open, or opens within a day."""

    status: ExamStatus
    scheduled_date: datetime
    closes_at: datetime
    countdown_minutes: int
    question_count: int


class NextExams(TypedDict):
    upcoming_exams: list[UpcomingExam]
    current_exams: list[CurrentExam]


def exam_head(exam: Exam | Row[Any]) -> ExamHead:
    return ExamHead(
        id=exam.id,
        title=exam.title,
        stage=exam.stage,
        round=exam.round,
        stage_display=f"{exam.stage}_{exam.round}",
    )


def exam_list_item(exam: Exam, question_count: int, now: datetime) -> ExamListItem:
    return ExamListItem(
        **exam_head(exam),
        season=exam.season_id,
        question_count=question_count,
        created_at=exam.created_at,
        scheduled_date=exam.scheduled_date,
        status=status_of(exam, now),
        is_active=exam.is_active,
        concluded_at=concluded_at(exam, now),
        published_at=exam.published_at,
    )


def exam_list(page: Page[Exam], pool: QuestionPoolData, now: datetime, url: str) -> ExamList:
    return ExamList(
        question_pool_data=pool,
        results=[exam_list_item(exam, exam.question_count, now) for exam in page.items],
        pagination=page.pagination(url),
    )


def exam_fields(
    work: Work, exam: Exam, question_count: int, paper: FrozenPaper | None
) -> ExamFields:
    [contributed] = EXAM.load(work, [exam.id])
    return ExamFields(
        **exam_list_item(exam, question_count, work.now),
        closes_at=exam.closes_at,
        frozen_at=None if paper is None else paper.frozen_at,
        description=exam.description,
        countdown_minutes=exam.countdown_minutes,
        open_duration_hours=exam.open_duration_hours,
        ranking=exam.ranking,
        scores_visible=exam.scores_visible,
        created_by=editor_profile(work, exam.created_by),
        updated_by=editor_profile(work, exam.updated_by),
        contributed=contributed,
        updated_at=exam.updated_at,
    )


def exam(work: Work, exam: Exam, question_ids: list[int], paper: FrozenPaper | None) -> ExamShape:
    fields = exam_fields(work, exam, len(question_ids), paper)
    return spread(ExamShape(**fields, questions=question_ids))


def exam_copy(work: Work, copied: Exam, question_ids: list[int], left_out: list[int]) -> ExamCopy:
    return spread(
        ExamCopy(
            **exam_fields(work, copied, len(question_ids), None),
            questions=question_ids,
            left_out=left_out,
        )
    )


def open_paper(
    work: Work, exam: Exam, questions: Sequence[QuestionRow], paper: FrozenPaper | None
) -> OpenPaper:
    return OpenPaper(
        **exam_head(exam),
        season=exam.season_id,
        status=status_of(exam, work.now),
        scheduled_date=exam.scheduled_date,
        closes_at=exam.closes_at,
        frozen_at=None if paper is None else paper.frozen_at,
        questions=exam_questions(work, questions, paper),
    )


def exam_questions(
    work: Work, questions: Sequence[QuestionRow], paper: FrozenPaper | None
) -> list[Question]:
    """Questions of an exam for staff. If there is a frozen paper, the texts and the answer key are
    those of the paper, even if the questions were edited in the bank afterwards."""
    shown = [question(work, each) for each in questions]
    if paper is not None:
        for each in shown:
            position = paper.positions[each["id"]]
            each.update(paper.questions[position])  # type: ignore[typeddict-item]  # some of its fields
            each["correct_answer"] = paper.answer_key[position]  # type: ignore[typeddict-item]  # A-D
    return shown


def exam_detail(
    work: Work,
    exam: Exam,
    page: Page[QuestionRow],
    paper: FrozenPaper | None,
    difficulties: Counter[str],
    url: str,
) -> ExamDetail:
    questions = ExamQuestionPage(
        question_pool_data=pool_data(difficulties),
        results=exam_questions(work, page.items, paper),
        pagination=page.pagination(url),
    )
    return spread(
        ExamDetail(**exam_fields(work, exam, difficulties.total(), paper), questions=questions)
    )


def next_exams(upcoming: Sequence[Row[Any]], current: Sequence[Row[Any]]) -> NextExams:
    """The next scheduled exams, and those that are open or will open within a day."""
    return NextExams(
        upcoming_exams=[upcoming_exam(exam) for exam in upcoming],
        current_exams=[current_exam(exam) for exam in current],
    )


def current_exam(exam: Row[Any]) -> CurrentExam:
    return CurrentExam(
        **exam_head(exam),
        status=exam.status,
        scheduled_date=exam.scheduled_date,
        closes_at=exam.closes_at,
        countdown_minutes=exam.countdown_minutes,
        question_count=exam.question_count,
    )


def upcoming_exam(exam: Row[Any]) -> UpcomingExam:
    return UpcomingExam(
        id=exam.id,
        title=exam.title,
        scheduled_date=exam.scheduled_date,
        is_active=exam.is_active,
        stage=exam.stage,
        question_count=exam.question_count,
        countdown_minutes=exam.countdown_minutes,
    )
