"""What organisers do with exams: plan, change, conclude, delete."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, get_args

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import joinedload

from competition.core import audit
from competition.core.errors import Invalid, NotFound
from competition.core.web.pagination import Page, Query, contains_every_word, paginate
from competition.core.work import Work
from competition.plugins.exams.models import Exam, ExamStatus, Paper
from competition.plugins.exams.services import papers
from competition.plugins.exams.services.questions import questions_in_order, set_questions

ORDERING = {
    "id": Exam.id,
    "title": Exam.title,
    "stage": Exam.stage,
    "round": Exam.round,
    "scheduled_date": Exam.scheduled_date,
    "created_at": Exam.created_at,
    "is_active": Exam.is_active,
}
# What a filter calls a status (decisions G1).
STATUS_WORDS: dict[str, ExamStatus] = {
    **{status: status for status in get_args(ExamStatus)},
    "upcoming": "scheduled",
}
STARTED = "Somebody has started this exam already."


def get(work: Work, exam_id: int) -> Exam:
    """With who created and changed it. Raises NotFound."""
    exam = work.db.scalar(
        select(Exam)
        .where(Exam.id == exam_id, Exam.deleted_at.is_(None))
        .options(joinedload(Exam.created_by), joinedload(Exam.updated_by))
        .execution_options(populate_existing=True)
    )
    if exam is None:
        raise NotFound
    return exam


def page_of_exams(work: Work, query: Query) -> Page[Exam]:
    statement = select(Exam).where(
        Exam.deleted_at.is_(None), *contains_every_word(query["search"], Exam.title)
    )
    if query["stage"]:
        statement = statement.where(Exam.stage == query["stage"])
    if query["active"] is not None:
        statement = statement.where(Exam.is_active == query["active"])
    if query["status"]:
        status = STATUS_WORDS[query["status"]]
        statement = statement.where(Exam.has_status(status, work.now))
    # Whole days in UTC, both ends included (decisions B7).
    if query["date_from"]:
        statement = statement.where(Exam.scheduled_date >= _midnight(query["date_from"]))
    if query["date_to"]:
        # Of days, since the day after the last one there is has no midnight.
        statement = statement.where(
            func.date(func.timezone("UTC", Exam.scheduled_date)) <= query["date_to"]
        )
    return paginate(work, statement, query, key=Exam.id, created=Exam.created_at, ordering=ORDERING)


def next_exams(work: Work, most: int) -> Sequence[Exam]:
    """Those that are to come, the first one first."""
    return work.db.scalars(
        select(Exam)
        .where(Exam.deleted_at.is_(None), Exam.has_status("scheduled", work.now))
        .order_by(Exam.scheduled_date, Exam.id)
        .limit(most)
    ).all()


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _window_end(scheduled_date: datetime | None, open_duration_hours: int) -> datetime | None:
    """Raises Invalid beyond the end of the calendar."""
    try:
        return scheduled_date and scheduled_date + timedelta(hours=open_duration_hours)
    except OverflowError:
        raise Invalid.field("scheduled_date", "This is too far away.") from None


def create(work: Work, fields: Mapping[str, Any]) -> Exam:
    """Raises Invalid for a question that is not in the bank."""
    values = dict(fields)
    question_ids = values.pop("questions")
    exam = Exam(
        **values,
        closes_at=_window_end(fields["scheduled_date"], fields["open_duration_hours"]),
        switched_off_at=None if fields["is_active"] else work.now,
        created_by_id=work.identity.user_id,
        updated_by_id=work.identity.user_id,
        created_at=work.now,
        updated_at=work.now,
    )
    work.db.add(exam)
    work.db.flush()
    set_questions(work, exam.id, question_ids)
    audit.record(work, "exam.create", subject=f"exam {exam.id}", new=dict(fields))
    return get(work, exam.id)


def change(work: Work, exam_id: int, changes: Mapping[str, Any]) -> Exam:
    """Raises NotFound, and Invalid for what may not change any more (decisions G9)."""
    exam = _locked(work, exam_id)
    paper = work.db.get(Paper, exam_id)
    values = dict(changes)
    question_ids = values.pop("questions", None)
    old = {name: getattr(exam, name) for name in values}
    if paper is not None:
        _check_fair(work, exam, changes)
    elif question_ids is not None:
        old["questions"] = questions_in_order(work, exam_id)
        set_questions(work, exam_id, question_ids)
    before = (exam.scheduled_date, exam.open_duration_hours)
    for name, value in values.items():
        setattr(exam, name, value)
    if (exam.scheduled_date, exam.open_duration_hours) != before:
        _move_window(work, exam, paper)
    if exam.is_active:
        exam.switched_off_at = None
    elif exam.switched_off_at is None:
        exam.switched_off_at = work.now
    if exam.sealed_at is not None and exam.status(work.now) != "concluded":
        raise Invalid("The results are published: the exam can't be opened again.")
    exam.updated_by_id = work.identity.user_id
    exam.updated_at = work.now
    audit.record_change(work, "exam.change", f"exam {exam_id}", old, changes)
    work.db.flush()
    return get(work, exam_id)


def _check_fair(work: Work, exam: Exam, changes: Mapping[str, Any]) -> None:
    """Whoever sits the exam keeps the questions and the time that were promised. Raises Invalid."""
    if "questions" in changes and {*changes["questions"]} != {*questions_in_order(work, exam.id)}:
        raise Invalid.field("questions", STARTED)
    if "scheduled_date" in changes and changes["scheduled_date"] is None:
        raise Invalid.field("scheduled_date", STARTED)
    if changes.get("stage", exam.stage) != exam.stage:
        raise Invalid.field("stage", STARTED)
    if changes.get("countdown_minutes", exam.countdown_minutes) < exam.countdown_minutes:
        raise Invalid.field("countdown_minutes", f"{STARTED} It can only become longer.")


def _move_window(work: Work, exam: Exam, paper: Paper | None) -> None:
    closes_at = _window_end(exam.scheduled_date, exam.open_duration_hours)
    if paper is not None and exam.closes_at is not None and closes_at is not None:
        # Running attempts keep their grace: it begins now, or began when the window ended.
        closes_at = max(closes_at, min(exam.closes_at, work.now))
    exam.closes_at = closes_at


def conclude(work: Work, exam_id: int) -> Exam:
    """Close the window now (decisions G2); one that is over stays as it is.

    Raises NotFound, and Invalid when the exam has not begun.
    """
    exam = _locked(work, exam_id)
    status = exam.status(work.now)
    if status not in ("ongoing", "concluded"):
        raise Invalid(f"Only an ongoing exam can be concluded; this one is {status}.")
    if status == "ongoing":
        audit.record(
            work,
            "exam.conclude",
            subject=f"exam {exam_id}",
            old=str(exam.closes_at),
            new=str(work.now),
        )
        exam.closes_at = work.now
        exam.updated_by_id = work.identity.user_id
        exam.updated_at = work.now
        work.db.flush()
    return get(work, exam_id)


def remove(work: Work, exam_id: int) -> None:
    """Gone when nobody has started and nothing is scored; otherwise hidden, its results kept
    (decisions G10). Raises NotFound."""
    exam = work.db.scalar(
        select(Exam).where(Exam.id == exam_id, Exam.deleted_at.is_(None)).with_for_update()
    )
    if exam is None:
        raise NotFound
    audit.record(work, "exam.delete", subject=f"exam {exam_id}", old={"title": exam.title})
    try:
        # What refers to it decides whether it can go.
        with work.db.begin_nested():
            work.db.execute(delete(Exam).where(Exam.id == exam_id))
    except IntegrityError:
        exam.deleted_at = work.now
    work.db.flush()


def _locked(work: Work, exam_id: int) -> Exam:
    exam = papers.lock(work, exam_id)
    if exam is None:
        raise NotFound
    return exam
