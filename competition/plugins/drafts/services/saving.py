"""Save drafts: the save with the highest sequence wins, on any device and in any order of arrival.

A single UPDATE decides under the row's lock: it compares the sequences, checks that the service has
not closed the draft and that the save was not made before the attempt was reopened, and merges the
changes into the answers. If it updates no row, more statements find out why: there is no draft yet,
or the save must not be applied.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    String,
    bindparam,
    case,
    func,
    literal,
    null,
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

# The table rather than the class, because SQLAlchemy updates it faster, and thousands of drafts are
# saved every minute.
DRAFTS = Draft.metadata.tables["draft"]


def _merged(answers: Any, changes: Any) -> ColumnElement[str]:
    """SQL expression for the answers after the changes. Both are strings with one character per
    question; in `changes`, UNCHANGED keeps the answer."""
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


# No bindparam may have the name of a column, because SQLAlchemy would take it for a value to set.
SAVE = (
    update(DRAFTS)
    .where(
        DRAFTS.c.exam_id == bindparam("exam"),
        DRAFTS.c.candidate_id == bindparam("candidate"),
        DRAFTS.c.sequence < bindparam("number"),
        DRAFTS.c.reopened_sequence <= bindparam("follows"),
        # Check whether the draft was closed, not the time: the deadline that this request has read
        # may be outdated.
        DRAFTS.c.closed_at.is_(None),
    )
    .values(
        sequence=bindparam("number"),
        answers=_merged(DRAFTS.c.answers, bindparam("changed")),
        changes=bindparam("changed"),
        saved_at=bindparam("now"),
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
    """The times of the caller's running attempt.

    Raises NotFound if there is no such exam, ExamNotStarted if the caller has not started it,
    ExamAlreadySubmitted if they have submitted it, and ExamNotOpen if the time is over.
    """
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
    *,
    follows: int | None = None,
) -> Saved:
    """Save the caller's answers to some questions.

    `answers` are pairs of question id and option; the option ``""`` clears the answer. `attempt` is
    the result of `running_attempt`. If a save with a higher sequence arrived before, this save
    changes nothing. Nor does it if the attempt was reopened after the draft with the sequence
    `follows`; None is the newest draft. A retry of the latest save counts as applied.

    Raises Invalid if a question is not in the paper or appears more than once, ExamNotOpen if the
    exam was sealed or the service has submitted the draft in the meantime, and ExamNotStarted if
    the exam has no frozen paper.
    """
    paper = papers.frozen(work, exam_id)
    if paper is None:
        raise ExamNotStarted
    known = {
        "exam": exam_id,
        "candidate": work.identity.user_id,
        "number": sequence,
        "follows": sequence if follows is None else follows,
        "changed": pack(paper, answers, omitted=UNCHANGED),
        "now": work.now,
    }
    saved = work.db.scalar(SAVE, known)
    if saved is None:
        saved = _first_save(work, known)
    if saved is None:
        # Another device made the first save at the same time.
        saved = work.db.scalar(SAVE, known)
    if saved is None:
        return _not_saved(work, attempt, known)
    return Saved(True, sequence, saved, work.now, attempt.deadline)


def _first_save(work: Work, new: Mapping[str, Any]) -> str | None:
    """Insert the caller's first draft and return its answers, or None if there is a draft already.

    Inserting a draft locks the paper, and so does sealing. So the query after the insert sees
    whether the exam is sealed. Raises ExamNotOpen if it is.
    """
    saved: str | None = work.db.scalar(FIRST_SAVE, new)
    if saved is not None:
        sealed_at = work.db.scalar(select(Exam.sealed_at).where(Exam.id == new["exam"]))
        if sealed_at is not None:
            raise ExamNotOpen
    return saved


def _not_saved(work: Work, attempt: AttemptTime, new: Mapping[str, Any]) -> Saved:
    """The result of a save that changed nothing. Raises ExamNotOpen if the draft is closed."""
    there = work.db.get_one(Draft, (new["exam"], new["candidate"]))
    if there.sequence < new["number"] and there.reopened_sequence <= new["follows"]:
        raise ExamNotOpen
    is_retry = (there.sequence, there.changes) == (new["number"], new["changed"])
    return Saved(is_retry, there.sequence, there.answers, there.saved_at, attempt.deadline)
