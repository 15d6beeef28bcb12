"""Saving a draft: the newest save counts, whichever device made it and whenever it arrives.

One UPDATE decides, on the row's lock: it compares the sequences, merges the changes into the
answers, and sees whether the service has submitted in the meantime. If it changes nothing, because
there is no draft yet or something stands against it, a few more statements find out which.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    String,
    and_,
    bindparam,
    case,
    func,
    literal,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by, insert

from competition.core.work import Work
from competition.plugins.drafts.models import UNCHANGED, Draft, Saved
from competition.plugins.exams.errors import ExamNotOpen
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import papers
from competition.plugins.sittings.errors import ExamNotStarted
from competition.plugins.sittings.models import UNANSWERED, AttemptTime
from competition.plugins.sittings.services import taking
from competition.plugins.sittings.services.answers import pack

# The table: SQLAlchemy does more work for each UPDATE of a class, and thousands save every minute.
DRAFTS = Draft.metadata.tables["draft"]


def _may_change(sequence: Any, hand_in_until: Any) -> ColumnElement[bool]:
    """Whether a draft is older than a save, and was not closed at the end of the time."""
    is_open = or_(DRAFTS.c.closed_at.is_(None), DRAFTS.c.closed_at <= hand_in_until)
    return and_(DRAFTS.c.sequence < sequence, is_open)


def _merged(answers: Any, changes: Any) -> ColumnElement[str]:
    """The answers, character by character, with each change in the place of its question."""
    question = (
        func.unnest(
            func.string_to_array(answers, null(), type_=String),
            func.string_to_array(changes, null(), type_=String),
        )
        .table_valued("answer", "change", with_ordinality="position")
        .render_derived()
    )
    answer = case((question.c.change == UNCHANGED, question.c.answer), else_=question.c.change)
    merged = func.string_agg(answer, aggregate_order_by(literal(""), question.c.position))
    return select(merged).select_from(question).correlate(DRAFTS).scalar_subquery()


# No bindparam may have the name of a column: SQLAlchemy would take it for a value to set.
SAVE = (
    update(DRAFTS)
    .where(
        DRAFTS.c.exam_id == bindparam("exam"),
        DRAFTS.c.candidate_id == bindparam("candidate"),
        _may_change(bindparam("number"), bindparam("hand_in_until")),
    )
    .values(
        sequence=bindparam("number"),
        answers=_merged(DRAFTS.c.answers, bindparam("changed")),
        changes=bindparam("changed"),
        saved_at=bindparam("now"),
        closed_at=null(),
    )
    .returning(DRAFTS.c.answers)
)
FIRST_SAVE = (
    insert(DRAFTS)
    .values(
        exam_id=bindparam("exam"),
        candidate_id=bindparam("candidate"),
        sequence=bindparam("number"),
        answers=func.replace(bindparam("changed"), UNCHANGED, UNANSWERED),
        changes=bindparam("changed"),
        saved_at=bindparam("now"),
    )
    .on_conflict_do_nothing()
    .returning(DRAFTS.c.answers)
)


def running_attempt(work: Work, exam_id: int) -> AttemptTime:
    """The time of the caller, who sits the exam. Raises NotFound, ExamNotStarted,
    ExamAlreadySubmitted, ExamNotOpen."""
    sitting = taking.find(work, exam_id)
    attempt = taking.read_clock(work, sitting).attempt
    if attempt is None:
        raise ExamNotStarted
    taking.check_running(work, sitting)
    return attempt


def save(
    work: Work,
    attempt: AttemptTime,
    exam_id: int,
    sequence: int,
    answers: Sequence[tuple[int, str]],
) -> Saved:
    """Change the caller's answers to the questions that `answers` names, pairs of a question's id
    and its option, ``""`` to clear it. `attempt` is what `running_attempt` returned. A newer save
    that arrived before wins, and a retry of the latest one counts as applied.

    Raises Invalid for a question that is not in the paper or comes twice, ExamNotOpen when the
    exam was sealed or the service has submitted in the meantime.
    """
    paper = papers.frozen(work, exam_id)
    if paper is None:
        raise ExamNotStarted
    new = {
        "exam": exam_id,
        "candidate": work.identity.user_id,
        "number": sequence,
        "changed": pack(paper, answers, omitted=UNCHANGED),
        "now": work.now,
    }
    known = {**new, "hand_in_until": attempt.hand_in_until}
    saved = work.db.scalar(SAVE, known)
    if saved is None:
        saved = _first_save(work, new)
    if saved is None:
        # Another device has made the first save at the same moment.
        saved = work.db.scalar(SAVE, known)
    if saved is None:
        return _not_saved(work, attempt, new)
    return Saved(True, sequence, saved, work.now, attempt.deadline)


def _first_save(work: Work, new: Mapping[str, Any]) -> str | None:
    """The answers of a candidate who had no draft; None if there is one. Raises ExamNotOpen.

    There was no row whose lock the service would have met if it submits at this moment. The
    insertion has a lock on the paper instead, which sealing an exam waits for: after it, this sees
    the seal.
    """
    saved: str | None = work.db.scalar(FIRST_SAVE, new)
    if saved is not None:
        sealed_at = work.db.scalar(select(Exam.sealed_at).where(Exam.id == new["exam"]))
        if sealed_at is not None:
            raise ExamNotOpen
    return saved


def _not_saved(work: Work, attempt: AttemptTime, new: Mapping[str, Any]) -> Saved:
    """The draft that this save did not change. Raises ExamNotOpen."""
    there = work.db.get_one(Draft, (new["exam"], new["candidate"]))
    if there.sequence < new["number"]:
        raise ExamNotOpen
    is_retry = (there.sequence, there.changes) == (new["number"], new["changed"])
    return Saved(is_retry, there.sequence, there.answers, there.saved_at, attempt.deadline)
