import logging
from collections.abc import Iterator
from contextlib import nullcontext

from competition.core.database import ReadingSession
from competition.core.preflight import Finding, PreflightCheck
from competition.core.work import Work

log = logging.getLogger(__name__)


def run(work: Work, exam_id: int) -> Iterator[tuple[PreflightCheck, Finding]]:
    """Run every check and yield its result. A check that raises an error does not stop the rest."""
    for check in work.runtime.catalogue[PreflightCheck].values():
        yield check, _finding(work, check, exam_id)


def _finding(work: Work, check: PreflightCheck, exam_id: int) -> Finding:
    # With a savepoint, a failed statement does not abort the whole transaction.
    savepoint = nullcontext() if isinstance(work.db, ReadingSession) else work.db.begin_nested()
    try:
        with savepoint:
            return check.look(work, exam_id)
    except Exception:
        log.exception("%s can't be checked", check.name)
        return Finding(is_fine=False, message="This can't be checked.")
