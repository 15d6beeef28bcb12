"""Seal exams that are over and score all their submissions, so that candidates can be ranked."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute

from competition.core.work import Work
from competition.plugins.exams.models import Exam, with_count
from competition.plugins.scores.models import Score
from competition.plugins.scores.services import scoring, standings
from competition.plugins.sittings.models import Attempt
from competition.plugins.sittings.services import sealing


def is_to_be_ranked(work: Work) -> ColumnElement[bool]:
    """SQL condition on Exam: whether the exam gets a leaderboard as soon as it is over (decisions
    L8).

    The exam is concluded and not deleted, and at least one candidate has started it or has a score
    in it. A score without a start is one that staff have given for a printed paper.
    """
    return and_(
        Exam.deleted_at.is_(None),
        Exam.has_status("concluded", work.now),
        or_(
            exists().where(Attempt.exam_id == Exam.id),
            exists().where(Score.exam_id == Exam.id),
        ),
    )


def seal_and_score(
    work: Work, *among: ColumnElement[bool] | InstrumentedAttribute[bool]
) -> list[Exam]:
    """Seal, score and mark as published every exam that is over and meets the conditions `among`.

    This is the first step of a publication. It also refreshes the live ranks. Returns these exams,
    including those that were sealed before, with their number of questions.

    An exam is over when it is to be ranked, and no running attempt can still be submitted.
    """
    over = select(Exam.id, Exam.sealed_at).where(is_to_be_ranked(work), *among)
    sealed_at = {exam_id: at for exam_id, at in work.db.execute(over)}
    sealed = _seal(work, sealed_at)
    work.db.execute(
        update(Exam)
        .where(Exam.id.in_(sealed), Exam.published_at.is_(None))
        .values(published_at=work.now),
        execution_options={"synchronize_session": False},
    )
    # Many candidates look up their rank now, and some may see these scores for the first time.
    standings.refresh(work)
    return list(
        work.db.scalars(
            select(Exam)
            .where(Exam.id.in_(sealed))
            .order_by(Exam.id)
            .options(with_count())
            .execution_options(populate_existing=True)
        )
    )


def finish(work: Work, exam: Exam) -> bool:
    """Seal and score a locked exam, even if no candidate has started it.

    Returns False, and does nothing, if the exam is not concluded or an attempt can still be
    submitted.
    """
    return exam.id in _seal(work, {exam.id: exam.sealed_at})


def _seal(work: Work, sealed_at: Mapping[int, datetime | None]) -> set[int]:
    """Seal and score the exams that are over; return the ids of all these exams that are sealed
    now.

    `sealed_at` maps exam ids to the time when the exam was sealed, or None. Exams that were sealed
    before are not scored again, because nothing can have been submitted since. All submissions are
    scored in one transaction, before any candidate is ranked.
    """
    sealed = sealing.seal(work, sealed_at.keys())
    for exam_id in sorted(each for each in sealed if sealed_at[each] is None):
        scoring.score_submissions(work, exam_id)
    return sealed
