"""Which questions an exam has: those of its frozen paper, or else of its draft."""

from collections import Counter
from collections.abc import Iterable, Sequence

from sqlalchemy import ARRAY, ColumnElement, Integer, Select, delete, func, literal, select

from competition.core.errors import Invalid
from competition.core.web.pagination import Page, Query, contains_every_word, paginate
from competition.core.work import Work
from competition.plugins.exams.models import ExamQuestion, Paper
from competition.plugins.questions.models import Question
from competition.plugins.questions.services import ORDERING, WITH_PEOPLE, locked_in_bank

QUESTIONS_OF_A_PAGE = 10


def in_order(work: Work, exam_id: int, paper: Paper | None) -> list[int]:
    """The ids of the exam's frozen paper, or else of the draft without archived questions."""
    if paper is not None:
        return list(paper.positions)
    return list(
        work.db.scalars(
            select(ExamQuestion.question_id)
            .join(Question, Question.id == ExamQuestion.question_id)
            .where(ExamQuestion.exam_id == exam_id, Question.archived_at.is_(None))
            .order_by(ExamQuestion.position)
        )
    )


def set_draft(work: Work, exam_id: int, question_ids: Iterable[int]) -> list[int]:
    """Put these questions in the place of those that were there; returns them without doubles. The
    exam's row is locked. Raises Invalid, naming each id that is no question or an archived one."""
    wanted = list(dict.fromkeys(question_ids))
    known = locked_in_bank(work, wanted)
    errors = {
        str(index): [f"There is no question {question_id} in the bank."]
        for index, question_id in enumerate(wanted)
        if question_id not in known
    }
    if errors:
        raise Invalid("Some questions are not in the bank.", errors={"questions": errors})
    work.db.execute(delete(ExamQuestion).where(ExamQuestion.exam_id == exam_id))
    work.db.add_all(
        ExamQuestion(exam_id=exam_id, question_id=question_id, position=position)
        for position, question_id in enumerate(wanted)
    )
    work.db.flush()
    return wanted


def of_ids(work: Work, question_ids: Sequence[int]) -> Sequence[Question]:
    """The questions of these ids, in that order."""
    return work.db.scalars(_of_ids(question_ids).order_by(_place_in(question_ids))).all()


def page_of_questions(work: Work, question_ids: Sequence[int], query: Query) -> Page[Question]:
    """A page of these questions, in this order if no other is asked for. Raises NotFound."""
    return paginate(
        work,
        _of_ids(question_ids).where(*contains_every_word(query["search"], Question.text)),
        query,
        key=Question.id,
        created=Question.created_at,
        ordering=ORDERING,
        default=[_place_in(question_ids)],
        size=QUESTIONS_OF_A_PAGE,
    )


def _of_ids(question_ids: Sequence[int]) -> Select[Question]:
    return select(Question).where(Question.id.in_(question_ids)).options(*WITH_PEOPLE)


def _place_in(question_ids: Sequence[int]) -> ColumnElement[int]:
    return func.array_position(literal(question_ids, ARRAY(Integer)), Question.id)


def difficulties(work: Work, question_ids: Sequence[int]) -> Counter[str]:
    """How many questions there are of each difficulty."""
    found = select(Question.difficulty).where(Question.id.in_(question_ids))
    return Counter(work.db.scalars(found))
