"""Render frozen papers again, after an upgrade that changes the spoken words of formulas."""

from sqlalchemy import select

from competition.core.work import Work
from competition.plugins.exams.models import Exam, Paper
from competition.plugins.questions.presenters import PaperQuestion
from competition.plugins.questions.services.rerendering import rendered_again


def next_paper(work: Work, after: int) -> int | None:
    """Render again the frozen paper of the next exam that no candidate has started. Exams come in
    the order of their ids; `after` is the id of the previous one.

    Returns the id of the exam, or None if there are no more papers.
    """
    # A first start locks the exam too, so no candidate can start the exam at the same time.
    exam = work.db.scalar(
        select(Exam)
        .join(Paper, Paper.exam_id == Exam.id)
        .where(Exam.id > after, Exam.first_started_at.is_(None))
        .order_by(Exam.id)
        .limit(1)
        .with_for_update(of=Exam)
        .execution_options(populate_existing=True)
    )
    if exam is None:
        return None
    paper = work.db.get(Paper, exam.id)
    if paper is not None and exam.first_started_at is None:
        paper.questions = [_rendered_again(each) for each in paper.questions]
    return exam.id


def _rendered_again(question: PaperQuestion) -> PaperQuestion:
    texts = {name: text for name, text in question.items() if isinstance(text, str)}
    rendered, spoken = rendered_again(
        question["id"], texts, question["rendered"], question["spoken"]
    )
    return {**question, "rendered": rendered, "spoken": spoken}
