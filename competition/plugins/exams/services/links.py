"""Add questions to exams and remove them, one question at a time or in bulk.

The questions of an exam with a frozen paper can't be changed. Exams are locked in the order of
their ids, so that two bulk operations can't deadlock.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import (
    ARRAY,
    Integer,
    Row,
    Select,
    any_,
    bindparam,
    delete,
    func,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import aliased

from competition.core import audit
from competition.core.errors import Invalid
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.messages import Message
from competition.core.work import Work
from competition.plugins.exams.events import ExamChanged
from competition.plugins.exams.models import EXAMS, LONGEST_PAPER, Exam, ExamQuestion, Paper
from competition.plugins.exams.presenters.links import (
    AddedQuestion,
    BulkDetails,
    BulkReport,
    BulkSummary,
    FailedLink,
    LinkedExam,
    LinkReport,
    SkippedQuestion,
)
from competition.plugins.exams.services import rows
from competition.plugins.questions.models import Question
from competition.plugins.questions.presenters import question_failures
from competition.plugins.questions.services import QUESTION_MISSING, locked_in_bank

ORDERING = {"id": Exam.id, "scheduled_date": Exam.scheduled_date}
# The reasons in reports. The specification of the API fixes the wording of the first two.
ALREADY_THERE = Message("Already exists")
EXAM_MISSING = Message("Exam not found")
NOT_THERE = Message("This question is not in the exam.")
STARTED = Message(
    "The paper of this exam is frozen. If nobody has started the exam, unfreeze the paper first."
)
FULL = Message(
    "An exam can have at most ${max} questions. Remove some first, or add fewer.",
    max=LONGEST_PAPER,
)


def page_of_exams(work: Work, question_id: int, query: Query) -> Page[tuple[Exam, int]]:
    """A page of the exams that ask a question, each with the question's place in the paper, from
    1."""
    other = aliased(ExamQuestion)
    place = (
        select(func.count())
        .where(other.exam_id == ExamQuestion.exam_id, other.position <= ExamQuestion.position)
        .scalar_subquery()
    )
    page = paginate(
        work,
        select(Exam, place.label("place"))
        .join(ExamQuestion, ExamQuestion.exam_id == Exam.id)
        .where(ExamQuestion.question_id == question_id, Exam.deleted_at.is_(None))
        .where(*contains_every_word(query["search"], Exam.title)),
        query,
        key=Exam.id,
        created=Exam.created_at,
        ordering=ORDERING,
    )
    return page.map(lambda row: (row[0], row[1]))


EXAM_QUESTIONS = ExamQuestion.metadata.tables["exam_question"]
# The latest exam that asks each question, and the number of exams that ask it.
LATEST: Select[*tuple[Any, ...]] = (
    select(
        EXAM_QUESTIONS.c.question_id,
        *(EXAMS.c[name] for name in ("id", "title", "stage", "round")),
        func.count().over(partition_by=EXAM_QUESTIONS.c.question_id).label("exams"),
    )
    .join(EXAMS, EXAMS.c.id == EXAM_QUESTIONS.c.exam_id)
    .where(
        EXAM_QUESTIONS.c.question_id == any_(bindparam("question_ids", type_=ARRAY(Integer))),
        EXAMS.c.deleted_at.is_(None),
    )
    .ext(distinct_on(EXAM_QUESTIONS.c.question_id))
    .order_by(
        EXAM_QUESTIONS.c.question_id,
        EXAMS.c.scheduled_date.desc().nulls_first(),
        EXAMS.c.id.desc(),
    )
)


def latest_exams(work: Work, question_ids: Collection[int]) -> dict[int, Row[Any]]:
    """The rows of `LATEST` for these questions, by the question's id.

    Drafts count as later than all dated exams. Questions that no exam asks are left out.
    """
    rows = work.db.execute(LATEST, {"question_ids": [*question_ids]})
    return {row.question_id: row for row in rows}


def change_links(
    work: Work, question: Question, add: Iterable[int], remove: Iterable[int]
) -> LinkReport:
    """Add a question to the exams `add` and remove it from the exams `remove`.

    An exam that can't be changed is reported, and the other exams are changed. Raises Invalid if
    both lists are empty, or if an exam is in both. Raises SeasonClosed, and changes nothing, if an
    exam is of a closed season.
    """
    adding, removing = list(dict.fromkeys(add)), list(dict.fromkeys(remove))
    if not adding and not removing:
        raise Invalid.field("add_to_exams", Message("Name at least one exam."))
    if set(adding) & set(removing):
        raise Invalid.field(
            "remove_from_exams", Message("The same exam can't be in add_to_exams, too.")
        )
    titles, refusals = _locked(work, [*adding, *removing])
    linked = _linked(work, [question.id], titles)
    report = LinkReport(
        question_id=question.id, added=[], removed=[], failed_additions=[], failed_removals=[]
    )
    for exam_id in adding:
        refusal = refusals.get(exam_id)
        if refusal is None and question.is_archived:
            refusal = QUESTION_MISSING
        if refusal is None and (question.id, exam_id) in linked:
            refusal = ALREADY_THERE
        if refusal := refusal or append(work, exam_id, [question.id]):
            report["failed_additions"].append(FailedLink(exam_id=exam_id, reason=refusal))
        else:
            report["added"].append(LinkedExam(exam_id=exam_id, exam_title=titles[exam_id]))
    for exam_id in removing:
        refusal = refusals.get(exam_id)
        if refusal is None and (question.id, exam_id) not in linked:
            refusal = NOT_THERE
        if refusal:
            report["failed_removals"].append(FailedLink(exam_id=exam_id, reason=refusal))
        else:
            report["removed"].append(LinkedExam(exam_id=exam_id, exam_title=titles[exam_id]))
    removed = [exam["exam_id"] for exam in report["removed"]]
    work.db.execute(
        delete(ExamQuestion).where(
            ExamQuestion.question_id == question.id, ExamQuestion.exam_id.in_(removed)
        )
    )
    _mark_updated(work, removed)
    for exam_id in removed:
        audit.record(work, "exam.remove_questions", subject=f"exam {exam_id}", old=[question.id])
        work.emit(ExamChanged(work, exam_id))
    return report


def add_in_bulk(work: Work, question_ids: Iterable[int], exam_ids: Iterable[int]) -> BulkReport:
    """Add every question to every exam (decisions G14), and report each failure with its reason.

    Raises SeasonClosed, and changes nothing, if an exam is of a closed season.
    """
    wanted, into = list(dict.fromkeys(question_ids)), list(dict.fromkeys(exam_ids))
    titles, refusals = _locked(work, into)
    known = locked_in_bank(work, wanted)
    linked = _linked(work, wanted, titles)
    missing = [(each, QUESTION_MISSING) for each in wanted if each not in known]
    details = BulkDetails(
        added=[], skipped=[], failed_questions=question_failures(missing), failed_exams=[]
    )
    for exam_id in into:
        new = [each for each in wanted if each in known and (each, exam_id) not in linked]
        if refusal := refusals.get(exam_id) or append(work, exam_id, new):
            details["failed_exams"].append(FailedLink(exam_id=exam_id, reason=refusal))
            continue
        details["added"].extend(
            AddedQuestion(question_id=each, exam_id=exam_id, exam_title=titles[exam_id])
            for each in new
        )
        details["skipped"].extend(
            SkippedQuestion(question_id=each, exam_id=exam_id, reason=ALREADY_THERE)
            for each in wanted
            if (each, exam_id) in linked
        )
    summary = BulkSummary(
        total_operations=len(wanted) * len(into),
        successful=len(details["added"]),
        skipped=len(details["skipped"]),
        failed=len(wanted) * len(into) - len(details["added"]) - len(details["skipped"]),
    )
    return BulkReport(summary=summary, details=details)


def _locked(work: Work, exam_ids: Sequence[int]) -> tuple[dict[int, str], dict[int, str]]:
    """Lock the exams. Returns two dicts by exam id: the titles of the existing exams, and the
    reasons why exams can't be changed. Raises SeasonClosed if an exam is of a closed season."""
    exams = work.db.scalars(
        select(Exam)
        .where(Exam.id.in_(exam_ids), Exam.deleted_at.is_(None))
        .order_by(Exam.id)
        .with_for_update(key_share=True)
    ).all()
    for exam in exams:
        rows.check_current(exam)
    titles = {exam.id: exam.title for exam in exams}
    frozen = work.db.scalars(select(Paper.exam_id).where(Paper.exam_id.in_(titles)))
    missing = [exam_id for exam_id in exam_ids if exam_id not in titles]
    refusals: dict[int, str] = dict.fromkeys(missing, EXAM_MISSING)
    return titles, refusals | dict.fromkeys(frozen, STARTED)


def _linked(
    work: Work, question_ids: Collection[int], exam_ids: Collection[int]
) -> set[tuple[int, int]]:
    """The pairs of question id and exam id for the questions that already are in these exams."""
    pairs = select(ExamQuestion.question_id, ExamQuestion.exam_id).where(
        ExamQuestion.question_id.in_(question_ids), ExamQuestion.exam_id.in_(exam_ids)
    )
    return {(question_id, exam_id) for question_id, exam_id in work.db.execute(pairs)}


def append(work: Work, exam_id: int, question_ids: Sequence[int]) -> str | None:
    """Append questions to an exam's draft, and return None. If the draft would become too long,
    change nothing and return the reason."""
    count, last = work.db.execute(
        select(func.count(), func.coalesce(func.max(ExamQuestion.position), -1)).where(
            ExamQuestion.exam_id == exam_id
        )
    ).one()
    if count + len(question_ids) > LONGEST_PAPER:
        return FULL
    work.db.add_all(
        ExamQuestion(exam_id=exam_id, question_id=question_id, position=position)
        for position, question_id in enumerate(question_ids, start=last + 1)
    )
    work.db.flush()
    if question_ids:
        _mark_updated(work, [exam_id])
        audit.record(work, "exam.add_questions", subject=f"exam {exam_id}", new=question_ids)
        work.emit(ExamChanged(work, exam_id))
    return None


def _mark_updated(work: Work, exam_ids: Collection[int]) -> None:
    """Give the exams a new version, so that a client with the old version can't put the old
    questions back."""
    work.db.execute(
        update(Exam)
        .where(Exam.id.in_(exam_ids))
        .values(updated_by_id=work.identity.user_id, updated_at=work.now)
    )
