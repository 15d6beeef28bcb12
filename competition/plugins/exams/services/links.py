"""Questions into exams and out of them, one by one or in bulk; a frozen exam takes part in neither.

Exams are locked in the order of their ids, so that two bulk operations wait for each other.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import delete, func, select

from competition.core import audit
from competition.core.errors import Invalid
from competition.core.work import Work
from competition.plugins.exams.events import ExamChanged
from competition.plugins.exams.models import ALREADY_THERE, LONGEST_PAPER, Exam, ExamQuestion, Paper
from competition.plugins.questions.models import Question
from competition.plugins.questions.services import QUESTION_MISSING, kept_in_bank

EXAM_MISSING = "Exam not found"
NOT_THERE = "Not in this exam"
STARTED = "Somebody has started this exam already"
FULL = f"An exam has at most {LONGEST_PAPER} questions"


class LinkChanges(NamedTuple):
    """Exams, and ids of exams with the reason of the failure."""

    added: list[Exam]
    removed: list[Exam]
    failed_additions: list[tuple[int, str]]
    failed_removals: list[tuple[int, str]]


class BulkAddition(NamedTuple):
    """Pairs of a question's id and an exam; ids with the reason of the failure. `total` counts
    every question with every exam."""

    total: int
    added: list[tuple[int, Exam]]
    skipped: list[tuple[int, Exam]]
    failed_questions: list[tuple[int, str]]
    failed_exams: list[tuple[int, str]]


def change_links(
    work: Work, question: Question, add: Iterable[int], remove: Iterable[int]
) -> LinkChanges:
    """Raises Invalid when there is nothing to do or an exam is in both lists."""
    adding, removing = list(dict.fromkeys(add)), list(dict.fromkeys(remove))
    if not adding and not removing:
        raise Invalid("Name at least one exam.")
    if set(adding) & set(removing):
        raise Invalid("An exam can't be in both lists.")
    question_id = question.id
    exams = _locked(work, [*adding, *removing])
    frozen = _frozen(work, exams)
    linked = set(_linked(work, [question_id], exams))
    changes = LinkChanges([], [], [], [])
    for exam_id in adding:
        refusal = _refusal(exam_id, exams, frozen)
        if refusal is None and question.is_archived:
            refusal = QUESTION_MISSING
        if refusal is None and (question_id, exam_id) in linked:
            refusal = ALREADY_THERE
        if refusal is None and not _append(work, exam_id, [question_id]):
            refusal = FULL
        if refusal is None:
            changes.added.append(exams[exam_id])
        else:
            changes.failed_additions.append((exam_id, refusal))
    for exam_id in removing:
        refusal = _refusal(exam_id, exams, frozen)
        if refusal is None and (question_id, exam_id) not in linked:
            refusal = NOT_THERE
        if refusal is None:
            changes.removed.append(exams[exam_id])
        else:
            changes.failed_removals.append((exam_id, refusal))
    work.db.execute(
        delete(ExamQuestion).where(
            ExamQuestion.question_id == question_id,
            ExamQuestion.exam_id.in_([exam.id for exam in changes.removed]),
        )
    )
    for exam in changes.added:
        _tell_addition(work, exam.id, [question_id])
    for exam in changes.removed:
        audit.record(work, "exam.remove_questions", subject=f"exam {exam.id}", old=[question_id])
        work.emit(ExamChanged(work, exam.id))
    return changes


def _tell_addition(work: Work, exam_id: int, question_ids: Sequence[int]) -> None:
    audit.record(work, "exam.add_questions", subject=f"exam {exam_id}", new=list(question_ids))
    work.emit(ExamChanged(work, exam_id))


def add_in_bulk(work: Work, question_ids: Iterable[int], exam_ids: Iterable[int]) -> BulkAddition:
    """Every question into every exam (decisions G14)."""
    wanted, into = list(dict.fromkeys(question_ids)), list(dict.fromkeys(exam_ids))
    exams = _locked(work, into)
    frozen = _frozen(work, exams)
    known = kept_in_bank(work, wanted)
    linked = set(_linked(work, wanted, exams))
    missing = [(each, QUESTION_MISSING) for each in wanted if each not in known]
    done = BulkAddition(len(wanted) * len(into), [], [], missing, [])
    for exam_id in into:
        refusal = _refusal(exam_id, exams, frozen)
        new = [each for each in wanted if each in known and (each, exam_id) not in linked]
        if refusal is None and not _append(work, exam_id, new):
            refusal = FULL
        if refusal is not None:
            done.failed_exams.append((exam_id, refusal))
            continue
        exam = exams[exam_id]
        if new:
            _tell_addition(work, exam_id, new)
        done.added.extend((each, exam) for each in new)
        done.skipped.extend((each, exam) for each in wanted if (each, exam_id) in linked)
    return done


def _locked(work: Work, exam_ids: Sequence[int]) -> dict[int, Exam]:
    exams = work.db.scalars(
        select(Exam)
        .where(Exam.id.in_(exam_ids), Exam.deleted_at.is_(None))
        .order_by(Exam.id)
        .with_for_update(key_share=True)
    )
    return {exam.id: exam for exam in exams}


def _frozen(work: Work, exam_ids: Iterable[int]) -> set[int]:
    return set(work.db.scalars(select(Paper.exam_id).where(Paper.exam_id.in_(exam_ids))))


def _refusal(exam_id: int, exams: dict[int, Exam], frozen: set[int]) -> str | None:
    if exam_id not in exams:
        return EXAM_MISSING
    return STARTED if exam_id in frozen else None


def _linked(
    work: Work, question_ids: Iterable[int], exam_ids: Iterable[int]
) -> list[tuple[int, int]]:
    rows = work.db.execute(
        select(ExamQuestion.question_id, ExamQuestion.exam_id).where(
            ExamQuestion.question_id.in_(list(question_ids)),
            ExamQuestion.exam_id.in_(list(exam_ids)),
        )
    )
    return [(question_id, exam_id) for question_id, exam_id in rows]


def _append(work: Work, exam_id: int, question_ids: Sequence[int]) -> bool:
    """At the end of the draft; False when it would become too long."""
    count, last = work.db.execute(
        select(func.count(), func.coalesce(func.max(ExamQuestion.position), -1)).where(
            ExamQuestion.exam_id == exam_id
        )
    ).one()
    if count + len(question_ids) > LONGEST_PAPER:
        return False
    work.db.add_all(
        ExamQuestion(exam_id=exam_id, question_id=question_id, position=position)
        for position, question_id in enumerate(question_ids, start=last + 1)
    )
    work.db.flush()
    return True
