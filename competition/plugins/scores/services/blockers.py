"""Scores that keep the next season from being opened."""

from sqlalchemy import exists, select

from competition.core.seasons.blockers import Blocker, season_blocker
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.scores.models import Score


@season_blocker("scores")
def unpublished_scores(work: Work) -> list[Blocker]:
    """Exams that nobody has started, because they were sat on paper, and whose scores are not
    published."""
    is_waiting = Exam.first_started_at.is_(None) & Exam.published_at.is_(None)
    found = work.db.execute(
        select(Exam.id, Exam.title)
        .where(Exam.is_current, Exam.deleted_at.is_(None), is_waiting)
        .where(exists().where(Score.exam_id == Exam.id))
        .order_by(Exam.id)
    )
    return [Blocker(row.id, row.title) for row in found]
