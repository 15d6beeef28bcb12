"""Create the exam and candidates of a rehearsal, read the results, and delete everything."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from random import Random
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import and_, delete, func, inspect, or_, select

from competition.core.auth import hashing
from competition.core.database import Base
from competition.core.plugins import import_models
from competition.core.runtime import Runtime
from competition.core.users import api_keys
from competition.core.users.credentials import ApiKey, AuthSession
from competition.core.users.models import Candidate, Staff, candidate_number
from competition.core.work import Work, begin
from competition.plugins.clarifications.models import Announcement, Clarification
from competition.plugins.exams.models import Exam, ExamQuestion, Paper
from competition.plugins.notifications.models import Notice, Notification
from competition.plugins.questions.models import Question
from competition.plugins.schools.models import School
from competition.plugins.schools.services import names as schools
from competition.plugins.scores.models import Score
from competition.plugins.scores.services.rounding import average
from competition.plugins.sittings.models import HandedInBy, Submission
from competition.rehearsal.moderator import Moderator
from competition.rehearsal.pupils import OPTIONS, Answers, Habit, Pupil

STAGE = "final"
SCHOOL = "Rehearsal"
HOUR = timedelta(hours=1)
# How many candidates ask a question. The rate limits of one moderator allow no more answers.
ASKING = 5


class Others(Exception):
    """Real candidates are in the final stage, and would see the exam."""


@dataclass(frozen=True)
class Result:
    """A candidate's submission. `right` is the score that it should have by the answer key, in
    percent, and `score` is the score that the service has stored, or None."""

    answers: Answers
    handed_in_by: HandedInBy
    right: float
    score: float | None


@dataclass(frozen=True)
class Messages:
    """The messages that the service has stored: the texts of announcements, and the questions of
    candidates as (text, answer), by their ids."""

    announced: list[str]
    asked: dict[int, tuple[str, str | None]]


@dataclass
class World:
    """The objects that the rehearsal has created in the database.

    `key_name` is the name of the API key that all simulated users send. `questions` are the ids of
    the exam's questions. Without the plugin `clarifications`, `moderator` is None, and no candidate
    asks the moderator a question.
    """

    exam_id: int
    key_name: str
    questions: list[int]
    pupils: list[Pupil]
    moderator_id: UUID
    moderator: Moderator | None


@contextmanager
def world(
    runtime: Runtime, candidates: int, questions: int, length: timedelta, among_others: bool
) -> Iterator[World]:
    """Context manager: create the exam and its candidates, and delete them at the end.

    Raises Others if real candidates would see the exam, unless `among_others` is true.
    """
    import_models()
    with begin(runtime) as work:
        others = select(Candidate.id).where(Candidate.role == STAGE, Candidate.status == "active")
        if not among_others and work.db.scalar(others.limit(1)):
            raise Others
        made = _make(work, candidates, questions, length)
    try:
        yield made
    finally:
        with begin(runtime) as work:
            _remove(work, made)


def results(runtime: Runtime, exam_id: int) -> dict[UUID, Result]:
    with begin(runtime) as work:
        paper = work.db.get_one(Paper, exam_id)
        rows = work.db.execute(
            select(Submission, Score.value)
            .outerjoin(
                Score,
                (Score.exam_id == Submission.exam_id)
                & (Score.candidate_id == Submission.candidate_id),
            )
            .where(Submission.exam_id == exam_id)
        )
        return {row.candidate_id: _result(paper, row, score) for row, score in rows}


def messages(runtime: Runtime, exam_id: int) -> Messages:
    row = Clarification
    with begin(runtime) as work:
        announced = select(Announcement.text).where(Announcement.exam_id == exam_id)
        asked = select(row.id, row.text, row.answer).where(row.exam_id == exam_id)
        return Messages(
            [*work.db.scalars(announced.order_by(Announcement.id))],
            {id: (text, answer) for id, text, answer in work.db.execute(asked)},
        )


def _result(paper: Paper, row: Submission, score: object) -> Result:
    given = dict(zip(paper.question_ids, row.answers, strict=True))
    points = [
        Decimal(100 * (answer == right))
        for answer, right in zip(row.answers, paper.answer_key, strict=True)
    ]
    return Result(
        {question: option for question, option in given.items() if option in OPTIONS},
        row.handed_in_by,
        float(average(points)),
        None if score is None else float(str(score)),
    )


def _make(work: Work, candidates: int, questions: int, length: timedelta) -> World:
    random = Random(1)
    name = f"rehearsal-{uuid4().hex[:8]}"
    key = api_keys.create(work, name)
    now = {"created_at": work.now, "updated_at": work.now}
    asked = [
        Question(
            text=f"Question {number} of a rehearsal",
            **{f"option_{each}": f"{number}{each}" for each in "abcd"},
            correct_answer=random.choice(OPTIONS),
            difficulty="easy",
            **now,
        )
        for number in range(1, questions + 1)
    ]
    work.db.add_all(asked)
    work.db.flush()
    rounds = select(func.coalesce(func.max(Exam.round), 0)).where(Exam.stage == STAGE)
    exam = Exam(
        title="Rehearsal",
        description="",
        stage=STAGE,
        round=(work.db.scalar(rounds) or 0) + 1,
        scheduled_date=work.now,
        # The countdown is longer than the window, so that the window's end is the deadline.
        countdown_minutes=int(length / timedelta(minutes=1)) + 1,
        open_duration_hours=int(length / HOUR) + 1,
        closes_at=work.now + length,
        is_active=True,
        **now,
    )
    work.db.add(exam)
    work.db.flush()
    ids = [each.id for each in asked]
    work.db.add_all(
        ExamQuestion(exam_id=exam.id, question_id=each, position=at) for at, each in enumerate(ids)
    )
    pupils = _pupils(work, name, key, candidates)
    staff = _moderator(work, name)
    moderator = None
    if "clarifications" in work.runtime.packages.values():
        [headers] = _log_in(work, key, [staff.id])
        moderator = Moderator(headers)
        for pupil in pupils[:ASKING]:
            pupil.asks = True
    return World(exam.id, name, ids, pupils, staff.id, moderator)


def _moderator(work: Work, name: str) -> Staff:
    staff = Staff(
        id=uuid4(),
        email=f"{name}-moderator@rehearsal.invalid",
        password_hash=hashing.hash_password(uuid4().hex),
        first_name="Rehearsal",
        last_name="Moderator",
        phone="+4912345678",
        occupation="Rehearsal",
        role="moderator",
        is_email_verified=True,
        verification="approved",
        date_joined=work.now,
        updated_at=work.now,
    )
    work.db.add(staff)
    work.db.flush()
    return staff


def _pupils(work: Work, name: str, key: str, count: int) -> list[Pupil]:
    """Create the candidates, each with sessions on two devices, so that no candidate has to log
    in."""
    password_hash = hashing.hash_password(uuid4().hex)
    numbers = select(func.next_value(candidate_number)).select_from(func.generate_series(1, count))
    users = [
        Candidate(
            id=uuid4(),
            email=f"{name}-{at}@rehearsal.invalid",
            password_hash=password_hash,
            first_name="Rehearsal",
            last_name=f"Number {at}",
            phone="+4912345678",
            school=SCHOOL,
            role=STAGE,
            number=number,
            is_email_verified=True,
            verification="approved",
            date_joined=work.now,
            updated_at=work.now,
        )
        for at, number in enumerate(work.db.scalars(numbers))
    ]
    work.db.add_all(users)
    work.db.flush()
    headers = _log_in(work, key, [user.id for user in users for _ in range(2)])
    habits = [*Habit]
    return [
        Pupil(user.id, headers[2 * at : 2 * at + 2], habits[at % len(habits)], Random(at))
        for at, user in enumerate(users)
    ]


def _log_in(work: Work, key: str, user_ids: Sequence[UUID]) -> list[dict[str, str]]:
    """Create a session for each of the ids, in which an id may occur several times. Return the
    headers for the requests of each session, in the same order."""
    devices = [
        AuthSession(
            id=uuid4(),
            user_id=user_id,
            refresh_jti=uuid4(),
            created_at=work.now,
            refreshed_at=work.now,
        )
        for user_id in user_ids
    ]
    work.db.add_all(devices)
    work.db.flush()
    tokens = [
        work.runtime.tokens.issue("access", each.user_id, each.id, uuid4(), work.now)
        for each in devices
    ]
    return [{"X-Api-Key": key, "Authorization": f"Bearer {token}"} for token in tokens]


def _remove(work: Work, made: World) -> None:
    """Delete the exam, its questions and the simulated users, with all rows that refer to them in
    the tables of all plugins, their notices, the API key and, if nothing else uses it, the school.
    The entries of the audit trail stay."""
    tables = Base.metadata.tables
    wanted: dict[Any, list[Any]] = {
        tables["exam"].c.id: [made.exam_id],
        tables["question"].c.id: made.questions,
        tables["user"].c.id: [made.moderator_id, *(each.id for each in made.pupils)],
    }
    candidate_ids = [each.id for each in made.pupils]
    notices = work.db.scalars(
        select(Notification.notice_id).where(Notification.user_id.in_(candidate_ids)).distinct()
    ).all()
    # The tables of a plugin that was never enabled may not exist.
    there = set(inspect(work.db.connection()).get_table_names())
    for table in reversed(Base.metadata.sorted_tables):
        if table.name not in there:
            continue
        theirs = [
            column.in_(ids)
            for target, ids in wanted.items()
            for column in table.columns
            if _leads_to(column, target)
        ]
        if theirs:
            work.db.execute(delete(table).where(or_(*theirs)))
    others_too = select(Notification.notice_id)
    work.db.execute(delete(Notice).where(Notice.id.in_(notices), Notice.id.not_in(others_too)))
    work.db.execute(delete(ApiKey).where(ApiKey.name == made.key_name))
    if School.__tablename__ in there:
        # The database adds a school for each name that candidates have.
        unused = and_(~School.is_listed, ~schools.has_aliases(), ~schools.has_candidates())
        work.db.execute(delete(School).where(School.name == SCHOOL, unused))


def _leads_to(column: Any, target: Any) -> bool:
    """Whether a column refers to `target` by foreign keys, directly or through other tables."""
    return column is target or any(
        _leads_to(each.column, target)
        for each in column.foreign_keys
        if each.column is not column and each.column.table is not column.table
    )
