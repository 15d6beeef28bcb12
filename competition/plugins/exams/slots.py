"""Add the current and next exams to the staff dashboard, and to each question in the question bank
the exams that ask it."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import ColumnElement, select

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.dashboards.offered_slots import STAFF_DASHBOARD
from competition.plugins.exams.models import Exam, ExamQuestion
from competition.plugins.exams.presenters.exams import NextExams, next_exams
from competition.plugins.exams.presenters.links import QuestionExams, exams_of_question
from competition.plugins.exams.services import links, planning
from competition.plugins.questions.models import Question
from competition.plugins.questions.offered_slots import QUESTION_IN_BANK
from competition.plugins.questions.services.uses import question_use


@fill_slot(STAFF_DASHBOARD)
def coming(work: Work, staff_ids: Collection[UUID]) -> dict[UUID, NextExams]:
    """For each member of staff, the exams that are open or come next. They are the same for all."""
    shown = next_exams(*planning.coming_exams(work))
    return dict.fromkeys(staff_ids, shown)


@fill_slot(QUESTION_IN_BANK, "exams")
def exams_of_questions(work: Work, question_ids: Collection[int]) -> dict[int, QuestionExams]:
    """For each question, how many exams ask it, and the latest of them."""
    found = links.latest_exams(work, question_ids)
    return {each: exams_of_question(found.get(each)) for each in question_ids}


@question_use("exams")
def in_an_exam() -> ColumnElement[bool]:
    """SQL condition: whether an exam, or a draft of an exam, asks the question."""
    return (
        select(ExamQuestion.exam_id)
        .join(Exam, Exam.id == ExamQuestion.exam_id)
        .where(ExamQuestion.question_id == Question.id, Exam.deleted_at.is_(None))
        .exists()
    )
