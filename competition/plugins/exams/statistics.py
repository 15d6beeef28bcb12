"""Every number that is computed from exams and scores."""

from collections.abc import Iterable
from decimal import Decimal

from sqlalchemy import func, select

from competition.core.work import Work
from competition.plugins.exams.models import ExamQuestion, Paper, Score
from competition.plugins.questions.models import Question


def question_counts(work: Work, exam_ids: Iterable[int]) -> dict[int, int]:
    """By exam: of the frozen paper, or else of the draft without archived questions."""
    ids = list(exam_ids)
    drafts = (
        select(ExamQuestion.exam_id, func.count())
        .join(Question, Question.id == ExamQuestion.question_id)
        .where(ExamQuestion.exam_id.in_(ids), Question.archived_at.is_(None))
        .group_by(ExamQuestion.exam_id)
    )
    papers = select(Paper.exam_id, func.cardinality(Paper.question_ids)).where(
        Paper.exam_id.in_(ids)
    )
    counts = {exam_id: count for exam_id, count in work.db.execute(drafts)}
    counts.update({exam_id: count for exam_id, count in work.db.execute(papers)})
    return counts


def average_scores(work: Work, exam_ids: Iterable[int]) -> dict[int, Decimal]:
    """By exam; one without a score is left out."""
    rows = work.db.execute(
        select(Score.exam_id, func.round(func.avg(Score.value), 2))
        .where(Score.exam_id.in_(list(exam_ids)))
        .group_by(Score.exam_id)
    )
    return {exam_id: average for exam_id, average in rows}
