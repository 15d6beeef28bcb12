"""Create, list, change, conclude and delete exams, on behalf of organisers."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import DateTime, bindparam, delete, false, func, select, true, union_all
from sqlalchemy.exc import IntegrityError

from competition.core import audit, repeats
from competition.core.auth.access import StaffRole
from competition.core.errors import Invalid, PermissionDenied
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.messages import Message
from competition.core.seasons import current as seasons
from competition.core.todo import Waiting, todo, waiting
from competition.core.users.models import Staff
from competition.core.work import Work
from competition.plugins.exams.events import ExamChanged, ExamDeleting
from competition.plugins.exams.models import (
    Exam,
    ExamStatus,
    FrozenPaper,
    Paper,
    status_of,
    with_count,
)
from competition.plugins.exams.services import papers, questions, rows

CREATE = "exam.create"
ORDERING = {
    "id": Exam.id,
    "title": Exam.title,
    "stage": Exam.stage,
    "round": Exam.round,
    "scheduled_date": Exam.scheduled_date,
    "created_at": Exam.created_at,
    "is_active": Exam.is_active,
}
# How many scheduled exams the dashboard lists. In a second list, it has all exams that are open or
# will open within a day, because moderators can't find them anywhere else.
MOST_UPCOMING = 10
A_DAY = timedelta(days=1)
NOW = bindparam("now", type_=DateTime(timezone=True))
# SELECT of all exams that are not deleted, with the columns that the staff dashboard shows.
DASHBOARD = (
    select(
        Exam.id,
        Exam.title,
        Exam.scheduled_date,
        Exam.closes_at,
        Exam.is_active,
        Exam.stage,
        Exam.round,
        Exam.status_at(NOW).label("status"),
        Exam.question_count.label("question_count"),
        Exam.countdown_minutes,
    )
    .where(Exam.deleted_at.is_(None))
    .order_by(Exam.scheduled_date, Exam.id)
)
UPCOMING = DASHBOARD.where(Exam.has_status("scheduled", NOW)).limit(MOST_UPCOMING)
CURRENT = DASHBOARD.where(
    Exam.is_active, Exam.closes_at > NOW, Exam.scheduled_date <= bindparam("soon", type_=NOW.type)
)
# UPCOMING and CURRENT in one statement.
COMING = union_all(
    select(true().label("is_upcoming"), UPCOMING.subquery()),
    select(false().label("is_upcoming"), CURRENT.subquery()),
).order_by("scheduled_date", "id")
STARTED = Message("A candidate has already started this exam, so this can't be changed.", "started")

# An exam, the ids of its questions in the order of the paper, and the paper if it is frozen.
Planned = tuple[Exam, list[int], FrozenPaper | None]


def page_of_exams(work: Work, query: Query) -> Page[Exam]:
    wanted = contains_every_word(query["search"], Exam.title)
    is_wanted = Exam.deleted_at.is_not(None) if query["deleted"] else Exam.deleted_at.is_(None)
    statement = (
        select(Exam)
        .options(with_count())
        .where(is_wanted, seasons.wanted(work, query["season"], Exam), *wanted)
    )
    if query["stage"]:
        statement = statement.where(Exam.stage == query["stage"])
    if query["active"] is not None:
        statement = statement.where(Exam.is_active == query["active"])
    if query["status"]:
        status: ExamStatus = "scheduled" if query["status"] == "upcoming" else query["status"]
        statement = statement.where(Exam.has_status(status, work.now))
    # Whole days in UTC, both ends included (decisions B7).
    day = func.date(func.timezone("UTC", Exam.scheduled_date))
    if query["date_from"]:
        statement = statement.where(day >= query["date_from"])
    if query["date_to"]:
        statement = statement.where(day <= query["date_to"])
    return paginate(work, statement, query, key=Exam.id, created=Exam.created_at, ordering=ORDERING)


def coming_exams(work: Work) -> tuple[Sequence[Any], Sequence[Any]]:
    """The next scheduled exams, at most MOST_UPCOMING, and all exams that are open or will open
    within a day. The earliest come first. Both are empty if the request names a season other than
    the current one."""
    if seasons.asked(work) is not None:
        return [], []
    found = work.db.execute(COMING, {"now": work.now, "soon": work.now + A_DAY}).all()
    upcoming = [exam for exam in found if exam.is_upcoming]
    return upcoming, [exam for exam in found if not exam.is_upcoming]


@todo("exams.without_questions", rank=StaffRole.ADMIN, link="exams")
def exams_without_questions(work: Work) -> Waiting:
    """How many scheduled exams have no questions yet, as a to-do of admins."""
    return waiting(
        work,
        select(Exam.created_at, Exam.id).where(
            Exam.deleted_at.is_(None),
            Exam.has_status("scheduled", work.now),
            Exam.question_count == 0,
        ),
        link="exams/{}/paper",
    )


def _window_end(scheduled_date: datetime | None, open_duration_hours: int) -> datetime | None:
    """When the window is planned to close; None without a date. Raises Invalid if the date is
    too far in the future to be computed."""
    try:
        return scheduled_date and scheduled_date + timedelta(hours=open_duration_hours)
    except OverflowError:
        raise Invalid.field(
            "scheduled_date", Message("This date is too far in the future. Choose an earlier date.")
        ) from None


def create(work: Work, fields: Mapping[str, Any], idempotency_key: str | None = None) -> Planned:
    """Create an exam. A repeated request with the same idempotency key returns the exam of the
    first request.

    Raises Invalid if a question is not in the bank or the date is too far in the future,
    IdempotencyKeyReused if the key was used for another exam, and NotFound if the exam of the first
    request was deleted.
    """
    made: list[Planned] = []

    def do() -> int:
        made.append(_create(work, fields))
        return made[0][0].id

    exam_id: int = repeats.once(work, CREATE, idempotency_key, fields, do)
    if made:
        return made[0]
    exam = rows.get(work, exam_id)
    paper = papers.frozen(work, exam_id)
    return exam, questions.in_order(work, exam_id, paper), paper


def _create(work: Work, fields: Mapping[str, Any]) -> Planned:
    work.lock(seasons.LOCK)
    values = dict(fields)
    wanted = values.pop("questions")
    exam = Exam(
        **values,
        closes_at=_window_end(fields["scheduled_date"], fields["open_duration_hours"]),
        switched_off_at=None if fields["is_active"] else work.now,
        created_by=_actor(work),
        created_at=work.now,
    )
    _mark_updated(work, exam)
    work.db.add(exam)
    work.db.flush()
    question_ids = questions.set_draft(work, exam.id, wanted)
    audit.record(work, CREATE, subject=f"exam {exam.id}", new=dict(fields))
    return exam, question_ids, None


def change(work: Work, exam: Exam, changes: Mapping[str, Any]) -> Planned:
    """Change a locked exam. Raises Invalid if a change is no longer allowed (decisions G9), if a
    question is not in the bank, or if the date is too far in the future."""
    paper = papers.frozen(work, exam.id)
    question_ids = questions.in_order(work, exam.id, paper)
    values = dict(changes)
    wanted = values.pop("questions", None)
    old = {name: getattr(exam, name) for name in values}
    # The questions of a frozen paper can't be changed.
    if wanted is not None and paper is not None and {*wanted} != {*paper.positions}:
        raise Invalid.field("questions", STARTED)
    if exam.first_started_at is not None:
        _check_fair(exam, changes)
    if wanted is not None and paper is None:
        old["questions"] = question_ids
        question_ids = questions.set_draft(work, exam.id, wanted)
    before = (exam.scheduled_date, exam.open_duration_hours)
    for name, value in values.items():
        setattr(exam, name, value)
    if (exam.scheduled_date, exam.open_duration_hours) != before:
        _move_window(work, exam)
    exam.switched_off_at = None if exam.is_active else exam.switched_off_at or work.now
    if exam.sealed_at is not None and status_of(exam, work.now) != "concluded":
        raise Invalid(
            Message(
                "The results of this exam are final, so it can't be opened again. Create"
                " another exam instead."
            )
        )
    _mark_updated(work, exam)
    work.db.flush()
    if changed := audit.record_change(work, "exam.change", f"exam {exam.id}", old, changes):
        work.emit(ExamChanged(work, exam.id, changed))
    return exam, question_ids, paper


def _check_fair(exam: Exam, changes: Mapping[str, Any]) -> None:
    """Check that a change of a started exam is fair to the candidates who have started it.

    Raises Invalid if it removes the date, shortens the countdown, or changes the stage or ranking.
    """
    if "scheduled_date" in changes and changes["scheduled_date"] is None:
        raise Invalid.field("scheduled_date", STARTED)
    if changes.get("stage", exam.stage) != exam.stage:
        raise Invalid.field("stage", STARTED)
    if changes.get("ranking", exam.ranking) != exam.ranking:
        raise Invalid.field("ranking", STARTED)
    if changes.get("countdown_minutes", exam.countdown_minutes) < exam.countdown_minutes:
        message = Message(
            "A candidate has already started this exam, so you can only increase the time for each"
            " candidate.",
            "started",
        )
        raise Invalid.field("countdown_minutes", message)


def _move_window(work: Work, exam: Exam) -> None:
    """Set the end of the window after its start or length was changed."""
    closes_at = _window_end(exam.scheduled_date, exam.open_duration_hours)
    if exam.first_started_at is not None and exam.closes_at is not None and closes_at is not None:
        # If the window is open, it may not end before now. If it is over, its end may not become
        # earlier. So running attempts keep their grace period.
        closes_at = max(closes_at, min(exam.closes_at, work.now))
    exam.closes_at = closes_at


def conclude(work: Work, exam: Exam) -> Planned:
    """Close the window of a locked exam now (decisions G2). A concluded exam stays as it is.

    Raises Invalid if the exam is neither ongoing nor concluded.
    """
    status = status_of(exam, work.now)
    if status not in ("ongoing", "concluded"):
        raise Invalid(
            Message("Only an ongoing exam can be concluded; this one is ${status}.", status=status)
        )
    if status == "ongoing":
        audit.record(
            work,
            "exam.conclude",
            subject=f"exam {exam.id}",
            old=str(exam.closes_at),
            new=str(work.now),
        )
        exam.closes_at = work.now
        _mark_updated(work, exam)
        work.db.flush()
        work.emit(ExamChanged(work, exam.id, ("closes_at",)))
    paper = papers.frozen(work, exam.id)
    return exam, questions.in_order(work, exam.id, paper), paper


def check_opened(work: Work, exam_id: int) -> Exam:
    """The exam, after checking that it has opened. Raises NotFound if there is no such exam, and
    PermissionDenied if it has not opened."""
    exam = rows.get(work, exam_id)
    if exam.scheduled_date is None or exam.scheduled_date > work.now:
        raise PermissionDenied(Message("This exam has not opened yet. Wait until it opens."))
    return exam


def remove(work: Work, exam: Exam) -> None:
    """Delete an exam, or only hide it if an attempt or another row refers to it (decisions G10).

    `exam` must be locked with `rows.locked_whole`, so that no new row can refer to it. Raises
    Invalid if a candidate can still submit it.
    """
    work.emit(ExamDeleting(work, exam.id))
    audit.record(work, "exam.delete", subject=f"exam {exam.id}", old={"title": exam.title})
    try:
        # Foreign keys decide whether the exam can be deleted.
        with work.db.begin_nested():
            if exam.first_started_at is None:
                work.db.execute(delete(Paper).where(Paper.exam_id == exam.id))
            work.db.execute(delete(Exam).where(Exam.id == exam.id))
    except IntegrityError:
        exam.deleted_at = work.now
        work.db.flush()


def _mark_updated(work: Work, exam: Exam) -> None:
    exam.updated_by = _actor(work)
    exam.updated_at = work.now


def _actor(work: Work) -> Staff:
    """The caller's account. The database session of the request has already loaded it."""
    return work.db.get_one(Staff, work.identity.user_id)
