import logging
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from datetime import timedelta

from sqlalchemy import select

from competition.core.auth.access import StaffRole
from competition.core.database import ReadingSession
from competition.core.exam_checks import Finding, PreflightCheck
from competition.core.messages import Message
from competition.core.todo import Waiting, todo
from competition.core.work import Work
from competition.plugins.exams.models import Exam

# Exams that open within this time should be ready.
SOON = timedelta(days=7)
# How many of these exams are checked for the dashboard. The exams that open first are checked.
MOST_SOON = 20

log = logging.getLogger(__name__)


def run(work: Work, exam_id: int) -> Iterator[tuple[PreflightCheck, Finding]]:
    """Run every check and yield its result. A check that raises an error does not stop the other
    checks."""
    for check in work.runtime.catalogue[PreflightCheck].values():
        yield check, _finding(work, check, exam_id)


def about(items: Sequence[str], message: str) -> Finding:
    """The finding of a check that reports these items with this message. If there are none, the
    check has passed, and the finding has no message."""
    return Finding(not items, message if items else "", items)


@todo("preflight.failed", rank=StaffRole.ADMIN, link="exams")
def unready_exams(work: Work) -> Waiting:
    """The exams that open soon and fail a check of the level `error`. `oldest` is when the first of
    them opens, and `link` leads to its checks. Warnings don't count, because some of them take
    seconds to find."""
    opening = Exam.scheduled_date <= work.now + SOON
    coming = work.db.execute(
        select(Exam.id, Exam.scheduled_date)
        .where(Exam.deleted_at.is_(None), Exam.has_status("scheduled", work.now), opening)
        .order_by(Exam.scheduled_date)
        .limit(MOST_SOON)
    ).all()
    checks = work.runtime.catalogue[PreflightCheck].values()
    failing = [
        (exam_id, opens_at)
        for exam_id, opens_at in coming
        if not all(
            _finding(work, each, exam_id).is_fine for each in checks if each.level == "error"
        )
    ]
    if not failing:
        return Waiting(0, None)
    first, opens_at = failing[0]
    return Waiting(len(failing), opens_at, f"exams/{first}?step=checks")


def _finding(work: Work, check: PreflightCheck, exam_id: int) -> Finding:
    # With a savepoint, a failed statement does not abort the whole transaction.
    savepoint = nullcontext() if isinstance(work.db, ReadingSession) else work.db.begin_nested()
    try:
        with savepoint:
            return check.look(work, exam_id)
    except Exception:
        log.exception("%s can't be checked", check.name)
        return Finding(
            is_fine=False,
            message=Message("This check could not be made. The log of the service has the reason."),
        )
