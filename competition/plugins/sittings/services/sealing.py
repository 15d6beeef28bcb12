"""Sealing: from then on nobody can start an exam or submit, so that its results are final.

An exam is *concluded* when its window is over (`closes_at`), *sealed* when nobody can start it or
submit any longer (`sealed_at`), *published* when its results and its answer key may be public
(`published_at`). A correction of the answer key seals an exam that is not published yet.
"""

from collections.abc import Collection

from sqlalchemy import or_, select, update
from sqlalchemy.orm import aliased

from competition.core.work import Work
from competition.plugins.exams.models import Exam, ExamQuestion, Paper
from competition.plugins.sittings.events import ExamsSealing
from competition.plugins.sittings.models import Attempt
from competition.plugins.sittings.services import clock


def seal(work: Work, exam_ids: Collection[int]) -> set[int]:
    """Seal those of these exams that are over and that no running attempt can still hand in
    (decisions L8); returns all of these exams that are sealed now. Nobody starts them any more."""
    # Waits for an edit that is under way, and leaves out what that has opened again.
    rows = work.db.execute(
        select(Exam.id, Exam.sealed_at)
        .where(Exam.id.in_(exam_ids), Exam.has_status("concluded", work.now))
        .order_by(Exam.id)
        .with_for_update(key_share=True)
    ).all()
    over = {row.id for row in rows}
    hold_starts(work, over)
    sealed = over - _running(work, over)
    if newly_sealed := sealed & {row.id for row in rows if row.sealed_at is None}:
        work.emit(ExamsSealing(work, newly_sealed))
        work.db.execute(
            update(Exam).where(Exam.id.in_(newly_sealed)).values(sealed_at=work.now),
            execution_options={"synchronize_session": False},
        )
    return sealed


def is_over(work: Work, exam: Exam) -> bool:
    """Whether a locked exam is over for good: it is concluded, and no attempt can still be
    submitted. Until the commit nobody is given time."""
    if exam.sealed_at is not None:
        return True
    hold_starts(work, [exam.id])
    return exam.status(work.now) == "concluded" and not _running(work, [exam.id])


def hold_starts(work: Work, exam_ids: Collection[int]) -> None:
    """Wait for whoever is just starting these exams or scoring them, and keep others from it until
    the commit. An exam that nobody has started yet is held by the lock of its row."""
    work.db.scalars(
        select(Paper.exam_id)
        .where(Paper.exam_id.in_(exam_ids))
        .order_by(Paper.exam_id)
        .with_for_update()
    ).all()


def still_asked(work: Work, exam_id: int) -> set[int]:
    """The questions of an exam that another one asks, or is to ask: it is scheduled or open, or
    somebody can still hand it in. Their right answers are told to nobody, whoever published them
    with this exam."""
    here, there = aliased(ExamQuestion), ExamQuestion
    is_ahead = or_(Exam.has_status("scheduled", work.now), Exam.has_status("ongoing", work.now))
    shared = work.db.execute(
        select(there.question_id, Exam.id, is_ahead)
        .join(Exam, Exam.id == there.exam_id)
        .join(here, here.question_id == there.question_id)
        .where(here.exam_id == exam_id, Exam.id != exam_id, Exam.deleted_at.is_(None))
    ).all()
    running = _running(work, {other for _, other, ahead in shared if not ahead}) if shared else ()
    return {question for question, other, ahead in shared if ahead or other in running}


def _running(work: Work, exam_ids: Collection[int]) -> set[int]:
    """Those of the exams with an attempt that can still be handed in."""
    return set(
        work.db.scalars(
            select(Attempt.exam_id)
            .join(Exam, Exam.id == Attempt.exam_id)
            .where(Attempt.exam_id.in_(exam_ids), clock.can_submit(work))
            .distinct()
        )
    )
