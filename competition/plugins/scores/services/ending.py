"""The end of an exam: it is sealed, everything is scored, and so ranks can be made."""

from sqlalchemy import ColumnElement, exists, select

from competition.core.work import Work
from competition.plugins.exams.models import WITH_COUNT, Exam
from competition.plugins.scores.models import Score
from competition.plugins.scores.services import scoring, standings
from competition.plugins.sittings.models import Attempt
from competition.plugins.sittings.services import sealing


def seal_and_score(work: Work, *among: ColumnElement[bool]) -> list[Exam]:
    """Seal and score every exam that is over, of those that the conditions hold for, and refresh
    the ranks; returns those that are sealed by now, with their number of questions. An exam is over
    when somebody started or was scored, its window has passed, and no running attempt can still be
    handed in (decisions L8)."""
    over = select(Exam.id, Exam.sealed_at).where(
        Exam.deleted_at.is_(None),
        Exam.has_status("concluded", work.now),
        exists().where(Attempt.exam_id == Exam.id) | exists().where(Score.exam_id == Exam.id),
        *among,
    )
    sealed_at = {exam_id: at for exam_id, at in work.db.execute(over)}
    sealed = sealing.seal(work, sealed_at.keys())
    # In the same transaction: nobody is ranked before everybody is scored. Where that was done
    # nothing can have been handed in since.
    for exam_id in sorted(each for each in sealed if sealed_at[each] is None):
        scoring.score_submissions(work, exam_id)
    # Everybody looks now, and candidates may see these scores for the first time.
    standings.refresh(work)
    return list(
        work.db.scalars(
            select(Exam)
            .where(Exam.id.in_(sealed))
            .order_by(Exam.id)
            .options(WITH_COUNT)
            .execution_options(populate_existing=True)
        )
    )
