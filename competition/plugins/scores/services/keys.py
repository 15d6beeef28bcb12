"""The answers that count as right, as of now: the frozen key, with what was corrected since."""

from sqlalchemy import select

from competition.core.work import Work
from competition.plugins.exams.models import Paper
from competition.plugins.exams.services import papers
from competition.plugins.scores.models import Correction


def key(work: Work, exam_id: int) -> list[str]:
    """For each question, in the order of the paper, the characters of a submission that count as
    right, as `Correction` has them; an empty list while there is no paper."""
    paper = papers.frozen(work, exam_id)
    return [] if paper is None else with_corrections(paper, corrections(work, exam_id))


def corrections(work: Work, exam_id: int) -> dict[int, str]:
    """What counts as right in each question that was corrected."""
    rows = work.db.execute(
        select(Correction.question_id, Correction.accepted).where(Correction.exam_id == exam_id)
    )
    return {question_id: accepted for question_id, accepted in rows}


def with_corrections(paper: Paper, corrected: dict[int, str]) -> list[str]:
    """The key of a paper if this is corrected of it."""
    return [
        corrected.get(question_id, letter)
        for question_id, letter in zip(paper.question_ids, paper.answer_key, strict=True)
    ]
