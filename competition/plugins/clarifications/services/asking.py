"""Candidates ask during an exam, and read their own questions and public answers."""

from typing import Any

from sqlalchemy import case, func, or_, select, update
from sqlalchemy.orm import joinedload

from competition.core import audit, repeats
from competition.core.errors import Invalid
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.users.models import User
from competition.core.users.personal_data import ERASED, personal_data
from competition.core.work import Work
from competition.plugins.clarifications.models import Clarification
from competition.plugins.exams.services import papers, rows
from competition.plugins.sittings.errors import ExamNotStarted
from competition.plugins.sittings.models import Attempt
from competition.plugins.sittings.services import taking

MOST_OPEN = 3
ASK = "clarification.ask"
ORDERING = {
    "id": Clarification.id,
    "asked_at": Clarification.asked_at,
    "status": Clarification.status,
}


def check_sitting(work: Work, exam_id: int, idempotency_key: str | None = None) -> None:
    """Check that the caller is taking the exam.

    Raises NotFound, ExamNotEligible, ExamNotStarted, ExamAlreadySubmitted or ExamNotOpen.
    """
    sitting = taking.find(work, exam_id)
    taking.check_eligible(work, sitting)
    if sitting.started_at is None:
        raise ExamNotStarted
    taking.check_running(work, sitting)


def ask(
    work: Work, exam_id: int, question_id: int | None, text: str, idempotency_key: str | None
) -> Clarification:
    """Store a question of the caller. A repeated request with the same idempotency key returns the
    question of the first one.

    Raises Invalid if the question is not in the paper, or if `MOST_OPEN` questions of the caller
    are waiting for an answer. Raises IdempotencyKeyReused if the key was used for another question.
    """
    content = {"question": question_id, "text": text}
    clarification_id = repeats.once(
        work,
        f"{ASK} {exam_id}",
        idempotency_key,
        content,
        lambda: _ask(work, exam_id, question_id, text).id,
    )
    return one(work, clarification_id)


def _ask(work: Work, exam_id: int, question_id: int | None, text: str) -> Clarification:
    paper = papers.frozen(work, exam_id)
    if question_id is not None and (paper is None or question_id not in paper.positions):
        raise Invalid.field("question", "This question is not in the paper.")
    me = work.identity.user_id
    # Requests of the same candidate wait for each other here, so that none is counted wrongly.
    work.db.execute(
        select(Attempt.exam_id)
        .where(Attempt.exam_id == exam_id, Attempt.candidate_id == me)
        .with_for_update(key_share=True)
    )
    waiting = work.db.scalars(
        select(func.count()).where(
            Clarification.exam_id == exam_id,
            Clarification.candidate_id == me,
            Clarification.status == "open",
        )
    ).one()
    if waiting >= MOST_OPEN:
        raise Invalid(
            f"{MOST_OPEN} of your questions are waiting for an answer. Wait for one of them first."
        )
    asked = Clarification(
        exam_id=exam_id,
        candidate_id=me,
        question_id=question_id,
        text=text,
        asked_at=work.now,
    )
    work.db.add(asked)
    work.db.flush()
    return asked


def page_of_exam(work: Work, exam_id: int, query: Query) -> Page[Clarification]:
    """A page of the clarifications in an exam: for staff all, for a candidate their own and those
    with a public answer.

    Raises NotFound if there is no such exam, and ExamNotStarted for a candidate who has not
    started it.
    """
    rows.get(work, exam_id)
    statement = select(Clarification).where(Clarification.exam_id == exam_id)
    if work.identity.kind == "candidate":
        check_started(work, exam_id)
        is_own = Clarification.candidate_id == work.identity.user_id
        statement = statement.where(or_(is_own, Clarification.public))
        # What others asked is not shown, so it can't be searched either.
        own_text = case((is_own, Clarification.text))
        text = func.concat_ws(" ", own_text, Clarification.answer)
    else:
        text = func.concat_ws(" ", Clarification.text, Clarification.answer)
    return page_of(work, statement.where(*contains_every_word(query["search"], text)), query)


def page_of(work: Work, statement: Any, query: Query) -> Page[Clarification]:
    """A page of the clarifications that a statement selects."""
    if query["status"]:
        statement = statement.where(Clarification.status == query["status"])
    return paginate(
        work,
        statement.options(joinedload(Clarification.candidate)),
        query,
        key=Clarification.id,
        created=Clarification.asked_at,
        ordering=ORDERING,
    )


def check_started(work: Work, exam_id: int) -> None:
    """Check that the caller has started the exam. Raises ExamNotStarted otherwise."""
    if work.db.get(Attempt, (exam_id, work.identity.user_id)) is None:
        raise ExamNotStarted


def one(work: Work, clarification_id: int) -> Clarification:
    """The clarification with its candidate, read again from the database."""
    of_candidate = joinedload(Clarification.candidate)
    return work.db.get_one(
        Clarification, clarification_id, options=[of_candidate], populate_existing=True
    )


def export(work: Work, user: User) -> list[dict[str, Any]]:
    """What the user asked during exams, with the answers, the earliest first."""
    columns = (
        *(Clarification.exam_id, Clarification.question_id, Clarification.text),
        *(Clarification.status, Clarification.answer, Clarification.asked_at),
    )
    found = work.db.execute(
        select(*columns).where(Clarification.candidate_id == user.id).order_by(Clarification.id)
    )
    return [dict(row._mapping) for row in found]


@personal_data("clarifications", export=export)
def erase(work: Work, user: User) -> None:
    """Erase what the user asked, and private answers. Public answers stay, because others rely on
    them, and name nobody."""
    is_theirs = Clarification.candidate_id == user.id
    work.db.execute(
        update(Clarification).where(is_theirs).values(text=ERASED),
        execution_options={"synchronize_session": False},
    )
    work.db.execute(
        update(Clarification)
        .where(is_theirs, ~Clarification.public, Clarification.status == "answered")
        .values(answer=ERASED),
        execution_options={"synchronize_session": False},
    )
    audit.forget(work, "clarification.answer", user.id)
