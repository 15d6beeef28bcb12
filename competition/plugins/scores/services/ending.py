"""The end of an exam: it is sealed, everything is scored, and so ranks can be made."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import ColumnElement, exists, select, update

from competition.core.work import Work
from competition.plugins.exams.models import WITH_COUNT, Exam
from competition.plugins.scores.models import Score
from competition.plugins.scores.services import scoring, standings
from competition.plugins.sittings.models import Attempt
from competition.plugins.sittings.services import sealing


def seal_and_score(work: Work, *among: ColumnElement[bool]) -> list[Exam]:
    """Seal, score and mark as published every exam that is over, of those that the conditions hold
    for, and refresh the ranks; returns those that are sealed by now, with their number of
    questions. It is what a publication begins with.

    An exam is over when somebody started or was scored, its window has passed, and no running
    attempt can still be handed in (decisions L8).
    """
    over = select(Exam.id, Exam.sealed_at).where(
        Exam.deleted_at.is_(None),
        Exam.has_status("concluded", work.now),
        exists().where(Attempt.exam_id == Exam.id) | exists().where(Score.exam_id == Exam.id),
        *among,
    )
    sealed_at = {exam_id: at for exam_id, at in work.db.execute(over)}
    sealed = _seal(work, sealed_at)
    work.db.execute(
        update(Exam)
        .where(Exam.id.in_(sealed), Exam.published_at.is_(None))
        .values(published_at=work.now),
        execution_options={"synchronize_session": False},
    )
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


def finish(work: Work, exam: Exam) -> bool:
    """Seal and score a locked exam, whether somebody sat it or not. False if it is not over for
    good."""
    return exam.id in _seal(work, {exam.id: exam.sealed_at})


def _seal(work: Work, sealed_at: Mapping[int, datetime | None]) -> set[int]:
    """Seal these exams, of which it says when they were sealed before, and score them; returns
    those that are sealed by now.

    Nobody is ranked before everybody is scored: that is one transaction. In an exam that was sealed
    before, nothing can have been submitted since.
    """
    sealed = sealing.seal(work, sealed_at.keys())
    for exam_id in sorted(each for each in sealed if sealed_at[each] is None):
        scoring.score_submissions(work, exam_id)
    return sealed
