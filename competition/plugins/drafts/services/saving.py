"""Saving: the newest save counts, on whichever device it was made and whenever it arrives.

One statement decides, on the row's lock: it finds out whether the caller is who they were a moment
ago and sits the exam, compares the sequences, merges the changes into the answers, and sees whether
the service has handed in meanwhile. Nearly every save is that statement and no other. Where it
changes nothing, because there is no draft yet or something stands against it, a few more find out
which.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Boolean,
    ColumnElement,
    DateTime,
    Insert,
    Select,
    String,
    and_,
    bindparam,
    case,
    func,
    literal,
    literal_column,
    null,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by, insert

from competition.core.auth import remembered
from competition.core.errors import Invalid
from competition.core.work import Work
from competition.plugins.drafts.errors import ExamNotStarted
from competition.plugins.drafts.models import UNCHANGED, Draft, Saved
from competition.plugins.exams.errors import ExamNotOpen
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import papers
from competition.plugins.sittings.models import UNANSWERED, AttemptTime
from competition.plugins.sittings.services import clock, taking
from competition.plugins.sittings.services.answers import pack

# There is nothing to map.
DRAFT: Any = Draft.__table__
OWN = select(DRAFT).where(
    DRAFT.c.exam_id == bindparam("exam"), DRAFT.c.candidate_id == bindparam("candidate")
)
SEALED_AT = select(Exam.sealed_at).where(Exam.id == bindparam("exam"))


def running_attempt(work: Work, exam_id: int) -> AttemptTime:
    """The time of the caller, who sits the exam. Raises NotFound, ExamNotStarted,
    ExamAlreadySubmitted, ExamNotOpen."""
    sitting = taking.find(work, exam_id)
    attempt = taking.read_clock(work, sitting).attempt
    if attempt is None:
        raise ExamNotStarted
    taking.check_running(work, sitting)
    return attempt


def save(work: Work, exam_id: int, sequence: int, answers: Sequence[tuple[int, str]]) -> Saved:
    """Change the caller's answers to the questions that `answers` names, pairs of a question's id
    and its option, ``""`` to clear it. A newer save that came before wins, and a retry of the last
    one has been made already.

    Raises what `running_attempt` does; then Invalid for a question that is not in the paper or
    comes twice, ExamNotOpen when the service has handed in meanwhile.
    """
    new = {
        "exam": exam_id,
        "candidate": work.identity.user_id,
        "number": sequence,
        "changed": _packed(work, exam_id, answers),
        "now": work.now,
    }
    caller = remembered.as_remembered(work)
    found = next(iter(work.db.alone(work.statement(_next_save), {**new, **caller})), None)
    if found is not None:
        remembered.confirm(work)
    remembered.check_confirmed(work)
    if found is None or found.deadline is None:
        deadline = running_attempt(work, exam_id).deadline
    else:
        deadline = found.deadline
        taking.see(work, exam_id)
    if found is None or found.answers is None:
        return _first_save(work, deadline, new)
    return Saved(True, sequence, found.answers, work.now, deadline)


def _packed(work: Work, exam_id: int, answers: Sequence[tuple[int, str]]) -> str:
    """Raises as `save` does: the state is told before what is wrong with the answers."""
    paper = papers.frozen(work, exam_id)
    try:
        if paper is None:
            raise ExamNotStarted
        return pack(paper, answers, omitted=UNCHANGED)
    except (ExamNotStarted, Invalid):
        running_attempt(work, exam_id)
        raise


def _next_save(work: Work) -> Select[Any]:
    """Makes a save where there is a draft already. No row: the caller is not who they were; no
    `deadline` in it: as far as this saw they do not sit the exam; no `answers`: nothing was
    changed."""
    new = _bound()
    caller = remembered.unchanged().cte("caller")
    running = taking.sitting(work, new["exam"], new["candidate"], new["now"])
    sitting = running.where(select(caller).exists()).cte("sitting")
    hand_in_until = sitting.c.deadline + clock.grace(work)
    saved = (
        update(DRAFT)
        .where(DRAFT.c.exam_id == new["exam"], DRAFT.c.candidate_id == new["candidate"])
        .where(_may_change(new["number"], hand_in_until))
        .values(_changed(new["number"], new["changed"], new["now"]))
        .returning(DRAFT.c.answers)
        .cte("saved")
    )
    return (
        select(sitting.c.deadline, saved.c.answers)
        .select_from(caller)
        .outerjoin(sitting, true())
        .outerjoin(saved, true())
    )


def _first_save(work: Work, deadline: datetime, new: Mapping[str, Any]) -> Saved:
    """A save of who has no draft, or a later one that was not made: of another device's that came
    at the same moment this is the next. Raises ExamNotOpen."""
    hand_in_until = deadline + clock.grace(work)
    found = work.db.change(work.statement(_insertion), {**new, "hand_in_until": hand_in_until})
    if not found:
        return _not_saved(work, deadline, new)
    [made] = found
    if made.is_first:
        _check_not_sealed(work, new["exam"])
    return Saved(True, new["number"], made.answers, work.now, deadline)


def _insertion(work: Work) -> Insert:
    new = _bound()
    first = insert(DRAFT).values(
        exam_id=new["exam"],
        candidate_id=new["candidate"],
        sequence=new["number"],
        answers=func.replace(new["changed"], UNCHANGED, UNANSWERED),
        changes=new["changed"],
        saved_at=new["now"],
    )
    excluded = first.excluded
    # No other transaction has ever locked or changed what was just inserted.
    is_first = literal_column("draft.xmax = 0", Boolean).label("is_first")
    return first.on_conflict_do_update(
        index_elements=[DRAFT.c.exam_id, DRAFT.c.candidate_id],
        set_=_changed(excluded.sequence, excluded.changes, excluded.saved_at),
        where=_may_change(excluded.sequence, bindparam("hand_in_until", type_=DateTime(True))),
    ).returning(DRAFT.c.answers, is_first)


def _not_saved(work: Work, deadline: datetime, new: Mapping[str, Any]) -> Saved:
    """The draft that there is, which this save did not change. Raises ExamNotOpen."""
    [there] = work.db.read(OWN, {"exam": new["exam"], "candidate": new["candidate"]})
    if there.sequence < new["number"]:
        raise ExamNotOpen
    is_retry = (there.sequence, there.changes) == (new["number"], new["changed"])
    return Saved(is_retry, there.sequence, there.answers, there.saved_at, deadline)


def _bound() -> dict[str, Any]:
    """The parameters of a save. Those of the names of columns SQLAlchemy would take for values."""
    types = {
        "exam": DRAFT.c.exam_id,
        "candidate": DRAFT.c.candidate_id,
        "number": DRAFT.c.sequence,
        "changed": DRAFT.c.changes,
        "now": DRAFT.c.saved_at,
    }
    return {name: bindparam(name, type_=column.type) for name, column in types.items()}


def _may_change(sequence: Any, hand_in_until: Any) -> ColumnElement[bool]:
    """Whether a draft is older than a save, and was not closed at the end of the time."""
    is_open = or_(DRAFT.c.closed_at.is_(None), DRAFT.c.closed_at <= hand_in_until)
    return and_(DRAFT.c.sequence < sequence, is_open)


def _changed(sequence: Any, changes: Any, saved_at: Any) -> dict[str, Any]:
    """What a save makes of a draft."""
    return {
        "sequence": sequence,
        "answers": _merged(DRAFT.c.answers, changes),
        "changes": changes,
        "saved_at": saved_at,
        "closed_at": null(),
    }


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
    return select(merged).select_from(question).correlate(DRAFT).scalar_subquery()


def _check_not_sealed(work: Work, exam_id: int) -> None:
    """A first save has no row on which it would meet who hands in. Its insertion has the lock of
    the paper instead, which whoever seals holds: after that, this sees the seal."""
    [(sealed_at,)] = work.db.read(SEALED_AT, {"exam": exam_id})
    if sealed_at is not None:
        raise ExamNotOpen
