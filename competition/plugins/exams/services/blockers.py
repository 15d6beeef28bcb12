"""Exams that keep the next season from being opened."""

from sqlalchemy import ColumnElement, or_, select

from competition.core.seasons.blockers import Blocker, season_blocker
from competition.core.work import Work
from competition.plugins.exams.models import Exam


@season_blocker("exams")
def open_or_scheduled_exams(work: Work) -> list[Blocker]:
    is_ahead = or_(Exam.has_status("scheduled", work.now), Exam.has_status("ongoing", work.now))
    return _found(work, is_ahead)


@season_blocker("exams.unsealed")
def unsealed_exams(work: Work) -> list[Blocker]:
    """Exams that a candidate has started and that are not sealed, so that staff can still open them
    again."""
    return _found(work, Exam.first_started_at.is_not(None) & Exam.sealed_at.is_(None))


@season_blocker("exams.unpublished")
def unpublished_exams(work: Work) -> list[Blocker]:
    """Sealed exams that a candidate has started, and whose scores are not published."""
    is_waiting = Exam.sealed_at.is_not(None) & Exam.published_at.is_(None)
    return _found(work, Exam.first_started_at.is_not(None) & is_waiting)


def _found(work: Work, condition: ColumnElement[bool]) -> list[Blocker]:
    rows = work.db.execute(
        select(Exam.id, Exam.title, Exam.status_at(work.now).label("status"))
        .where(Exam.is_current, Exam.deleted_at.is_(None), condition)
        .order_by(Exam.id)
    )
    return [Blocker(row.id, row.title, status=row.status) for row in rows]
