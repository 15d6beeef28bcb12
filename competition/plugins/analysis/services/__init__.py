"""Analyse an exam: `counting` counts answers in PostgreSQL, `formulas` computes the statistics."""

from sqlalchemy import select

from competition.core.errors import NotFound
from competition.core.work import Work
from competition.plugins.analysis.models import Analysis
from competition.plugins.analysis.services import formulas
from competition.plugins.analysis.services.counting import count
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import papers
from competition.plugins.questions.models import Question
from competition.plugins.scores.services import keys


def analyse(work: Work, exam: Exam) -> Analysis:
    """Analyse the submissions to an exam. Raises NotFound if there are none."""
    paper = papers.frozen(work, exam.id)
    counts = count(work, exam.id, keys.key(work, exam.id))
    if paper is None or not counts.scores:
        raise NotFound("No candidate has submitted answers to this exam yet.")
    difficulties = work.db.execute(
        select(Question.id, Question.difficulty).where(Question.id.in_(paper.question_ids))
    )
    return Analysis(
        exam_id=exam.id,
        paper=paper,
        difficulties={question_id: difficulty for question_id, difficulty in difficulties},
        numbers=formulas.numbers(counts),
        items=formulas.items(counts),
    )
