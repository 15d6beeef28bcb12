"""The shapes of teachers, their pupils and exams in the API.

They contain no email address, phone number, question or answer.
"""

from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, TypedDict
from uuid import UUID

from sqlalchemy import Row

from competition.core.lists import Page, Pagination
from competition.core.users.logins import has_code, login_of
from competition.core.users.profiles import StaffProfile, UserShape, editor_profiles, user_shape
from competition.core.work import Work
from competition.plugins.exams.models import ExamStatus, Stage, status_of
from competition.plugins.scores.presenters.scores import number
from competition.plugins.teachers.models import (
    DecidedState,
    ExamOfSchool,
    ExamState,
    FixedField,
    Link,
    PupilState,
    fixed,
)


class SchoolName(TypedDict):
    id: int
    name: str


class Teacher(TypedDict):
    """The link of a member of staff to a school. `status` is `invited` until the email address is
    verified."""

    user: UserShape
    school: SchoolName
    status: Literal["invited", "active"]
    invited_by: StaffProfile | None
    created_at: datetime


class TeacherList(TypedDict):
    results: list[Teacher]
    pagination: Pagination


class OwnSchool(TypedDict):
    """The teacher's school. `candidates` are its own pupils, `verified` how many of them are
    verified, and `unconfirmed` how many candidates have only typed its name."""

    id: int
    name: str
    code: str | None
    region: str
    candidates: int
    verified: int
    unconfirmed: int
    teachers: int


class Pupil(TypedDict):
    """A candidate of the school. If the state is `unconfirmed` or `removed`, only the name and the
    year are shown. `login` is null for a pupil with an email address. `fixed` are the fields that
    the teacher can't change, neither here nor by an import."""

    user_id: UUID
    full_name: str
    first_name: str | None
    last_name: str | None
    year: int | None
    group: str | None
    external_id: str | None
    login: str | None
    has_code: bool | None
    used: bool | None
    state: PupilState
    fixed: list[FixedField] | None


class AddedPupil(Pupil):
    """A pupil whom the teacher has entered."""

    warnings: list[str]


class PupilList(TypedDict):
    results: list[Pupil]
    pagination: Pagination


class ConfirmedPupil(TypedDict):
    """`refused` is the state of a candidate who is no pupil of the school."""

    state: DecidedState
    warnings: list[str]


class PupilCounts(TypedDict):
    not_started: int
    sitting: int
    submitted: int


class SchoolExam(TypedDict):
    """An exam that pupils of the school can take or have started, with the number of these pupils
    by state."""

    id: int
    title: str
    stage: Stage
    round: int
    scheduled_date: datetime | None
    closes_at: datetime | None
    countdown_minutes: int
    status: ExamStatus
    counts: PupilCounts


class SchoolExamList(TypedDict):
    results: list[SchoolExam]
    pagination: Pagination


class PupilInExam(TypedDict):
    user_id: UUID
    full_name: str
    year: int | None
    group: str
    state: ExamState
    started_at: datetime | None
    submitted_at: datetime | None


class PupilInExamList(TypedDict):
    results: list[PupilInExam]
    pagination: Pagination


class PupilResult(TypedDict):
    """A pupil's score. `rank` is null until the leaderboard is published."""

    user_id: UUID
    full_name: str
    year: int | None
    group: str
    score: float
    rank: int | None


class PupilResultList(TypedDict):
    average: float | None
    results: list[PupilResult]
    pagination: Pagination


def teacher(work: Work, link: Link) -> Teacher:
    [shown] = _teachers(work, [link])
    return shown


def teacher_list(work: Work, page: Page[Link], url: str) -> TeacherList:
    return TeacherList(results=_teachers(work, list(page.items)), pagination=page.pagination(url))


def _teachers(work: Work, links: list[Link]) -> list[Teacher]:
    inviters = editor_profiles(work, [each.teacher.invited_by_id for each in links])
    return [
        Teacher(
            user=user_shape(work, each.user),
            school=SchoolName(id=each.school.id, name=each.school.name),
            status="active" if each.user.is_email_verified else "invited",
            invited_by=inviters.get(each.teacher.invited_by_id),
            created_at=each.teacher.created_at,
        )
        for each in links
    ]


def pupil(work: Work, row: Row[Any]) -> Pupil:
    candidate = row.Candidate
    is_own = row.state not in ("unconfirmed", "removed")
    login = login_of(candidate.email)
    return Pupil(
        user_id=candidate.id,
        full_name=candidate.full_name,
        first_name=candidate.first_name if is_own else None,
        last_name=candidate.last_name if is_own else None,
        year=candidate.year,
        group=candidate.group if is_own else None,
        external_id=candidate.external_id if is_own else None,
        login=login if is_own else None,
        has_code=(login is not None and has_code(work.now, candidate)) if is_own else None,
        used=candidate.first_login_at is not None if is_own else None,
        state=row.state,
        fixed=[*fixed(row)] if is_own else None,
    )


def added(work: Work, row: Row[Any], warnings: list[str]) -> AddedPupil:
    return {**pupil(work, row), "warnings": warnings}


def pupil_list(work: Work, page: Page[Row[Any]], url: str) -> PupilList:
    return PupilList(
        results=[pupil(work, each) for each in page.items], pagination=page.pagination(url)
    )


def exam_list(work: Work, page: Page[ExamOfSchool], url: str) -> SchoolExamList:
    return SchoolExamList(
        results=[
            SchoolExam(
                id=each.exam.id,
                title=each.exam.title,
                stage=each.exam.stage,
                round=each.exam.round,
                scheduled_date=each.exam.scheduled_date,
                closes_at=each.exam.closes_at,
                countdown_minutes=each.exam.countdown_minutes,
                status=status_of(each.exam, work.now),
                counts=PupilCounts(
                    not_started=each.counts["not_started"],
                    sitting=each.counts["sitting"],
                    submitted=each.counts["submitted"],
                ),
            )
            for each in page.items
        ],
        pagination=page.pagination(url),
    )


def sitting_list(page: Page[Row[Any]], url: str) -> PupilInExamList:
    return PupilInExamList(
        results=[
            PupilInExam(
                user_id=each.Candidate.id,
                full_name=each.Candidate.full_name,
                year=each.year,
                group=each.group,
                state=each.state,
                started_at=each.started_at,
                submitted_at=each.submitted_at,
            )
            for each in page.items
        ],
        pagination=page.pagination(url),
    )


def result_list(page: Page[Row[Any]], average: Decimal | None, url: str) -> PupilResultList:
    return PupilResultList(
        average=None if average is None else round(float(average), 2),
        results=[
            PupilResult(
                user_id=each.Candidate.id,
                full_name=each.Candidate.full_name,
                year=each.year,
                group=each.group,
                score=number(each.score),
                rank=each.rank,
            )
            for each in page.items
        ],
        pagination=page.pagination(url),
    )
