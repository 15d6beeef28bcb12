"""Saving: the newest save counts, on whichever device it was made and whenever it arrives.

One statement decides, on the row's lock: it compares the sequences, merges the changes into the
answers, and finds out whether the service has handed in meanwhile.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    Boolean,
    ColumnElement,
    String,
    case,
    func,
    literal,
    literal_column,
    null,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by, insert

from competition.core.work import Work
from competition.plugins.drafts.errors import ExamNotStarted
from competition.plugins.drafts.models import UNCHANGED, Draft
from competition.plugins.exams.errors import ExamNotOpen
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import papers
from competition.plugins.sittings.models import UNANSWERED, AttemptTime
from competition.plugins.sittings.services import taking
from competition.plugins.sittings.services.answers import pack


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
    exam_id: int,
    attempt: AttemptTime,
    sequence: int,
    answers: Sequence[tuple[int, str]],
) -> tuple[Draft, bool]:
    """Change the caller's answers to the questions that `answers` names, pairs of a question's id
    and its option, ``""`` to clear it. Returns the draft as it is then, and whether that has this
    save: a newer one that came before wins, and a retry of the last one has been made already.

    Raises Invalid for a question that is not in the paper or comes twice, ExamNotOpen when the
    service has handed in meanwhile.
    """
    paper = papers.frozen(work, exam_id)
    assert paper is not None
    changes = pack(paper, answers, omitted=UNCHANGED)
    candidate_id = work.identity.user_id
    first = insert(Draft).values(
        exam_id=exam_id,
        candidate_id=candidate_id,
        sequence=sequence,
        answers=changes.replace(UNCHANGED, UNANSWERED),
        changes=changes,
        saved_at=work.now,
    )
    new = first.excluded
    later = first.on_conflict_do_update(
        index_elements=[Draft.exam_id, Draft.candidate_id],
        set_={
            "sequence": new.sequence,
            "answers": _merged(Draft.answers, new.changes),
            "changes": new.changes,
            "saved_at": new.saved_at,
            "closed_at": null(),
        },
        where=(Draft.sequence < new.sequence)
        & or_(Draft.closed_at.is_(None), Draft.closed_at <= attempt.hand_in_until),
    )
    # No other transaction has ever locked or changed what was just inserted.
    is_first = literal_column("draft.xmax = 0", Boolean)
    saved = work.db.execute(
        later.returning(Draft, is_first), execution_options={"populate_existing": True}
    ).one_or_none()
    if saved is None:
        there = work.db.get_one(Draft, (exam_id, candidate_id), populate_existing=True)
        if there.sequence < sequence:
            raise ExamNotOpen
        return there, (there.sequence, there.changes) == (sequence, changes)
    draft, inserted = saved
    if inserted:
        _check_not_sealed(work, exam_id)
    return draft, True


def _merged(answers: Any, changes: Any) -> ColumnElement[str]:
    """The answers, character by character, with those that the changes name in their places."""
    question = (
        func.unnest(
            func.string_to_array(answers, null(), type_=String),
            func.string_to_array(changes, null(), type_=String),
        )
        .table_valued("answer", "change", with_ordinality="position")
        .render_derived()
    )
    kept = case((question.c.change == UNCHANGED, question.c.answer), else_=question.c.change)
    merged = func.string_agg(kept, aggregate_order_by(literal(""), question.c.position))
    return select(merged).select_from(question).correlate(Draft).scalar_subquery()


def _check_not_sealed(work: Work, exam_id: int) -> None:
    """A first save has no row on which it would meet who hands in. Its insertion has the lock of
    the paper instead, which whoever seals holds: after that, this sees the seal."""
    if work.db.scalar(select(Exam.sealed_at).where(Exam.id == exam_id)) is not None:
        raise ExamNotOpen
