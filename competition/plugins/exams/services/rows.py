"""Find the row of an exam, lock it, and mark it as started.

To prevent deadlocks, a transaction that takes several locks takes them in this order: exams by id,
questions by id, papers by exam id, attempts by exam and candidate, then accounts and rows about
people (`core.users.accounts`). Attempts, submissions and scores refer to these rows, but inserting
them only waits for a transaction that deletes or seals the exam.
"""

from typing import Any

from sqlalchemy import update
from sqlalchemy.orm import joinedload
from sqlalchemy.orm.attributes import set_committed_value

from competition.core import versions
from competition.core.errors import NotFound, existing
from competition.core.seasons.current import SeasonClosed
from competition.core.users.models import Staff
from competition.core.work import Work
from competition.plugins.exams.models import Exam, with_count

WITH_PEOPLE = (joinedload(Exam.created_by), joinedload(Exam.updated_by))


def get(work: Work, exam_id: int) -> Exam:
    """The exam with the accounts of its creator and last editor. Raises NotFound if there is no
    such exam."""
    return _one(work, exam_id, options=WITH_PEOPLE)


def with_results(work: Work, exam_id: int) -> Exam:
    """The exam, even if it was deleted and is only hidden, because its results are retained
    (decisions G10). Raises NotFound if there is no such exam."""
    return existing(work.db.get(Exam, exam_id))


def locked(work: Work, exam_id: int, if_match: str | None = None) -> Exam:
    """Lock the exam and return it, with the accounts of its creator and last editor.

    Until the commit, no other transaction can change or seal the exam or be the first to start it.
    Submissions and scores can still be stored.

    Raises NotFound if there is no such exam, SeasonClosed if its season is closed, and
    PreconditionFailed if `if_match` names an earlier version.
    """
    exam = _one(work, exam_id, {"of": Exam, "key_share": True}, options=WITH_PEOPLE)
    check_current(exam)
    versions.check(exam.updated_at, if_match)
    if exam.updated_by_id is not None and exam.updated_by is None:
        # Another transaction changed the exam while this transaction waited for the lock: the join
        # found the previous editor.
        set_committed_value(exam, "updated_by", work.db.get(Staff, exam.updated_by_id))
    return exam


def locked_whole(work: Work, exam_id: int) -> Exam:
    """Lock the exam so that no new row can refer to it, and return it.

    Raises NotFound if there is no such exam, and SeasonClosed if its season is closed.
    """
    return check_current(_one(work, exam_id, True))


def locked_against_deletion(work: Work, exam_id: int) -> Exam:
    """The exam with its number of questions. Until the commit, no other transaction can delete it.

    Raises NotFound if there is no such exam, and SeasonClosed if its season is closed.
    """
    return check_current(
        _one(work, exam_id, {"read": True, "key_share": True}, options=[with_count()])
    )


def check_current(exam: Exam) -> Exam:
    """The exam, after a check that its season is not closed. Raises SeasonClosed if it is.

    To be safe from a season that is opened at the same time, the exam has to be locked.
    """
    if not exam.is_current:
        raise SeasonClosed
    return exam


def mark_started(work: Work, exam_id: int) -> Exam:
    """Set `first_started_at` to now if it is not set yet, and return the exam, read again.

    This may wait for a transaction that changes the exam, so the caller has to repeat its checks
    with the returned exam. Raises NotFound if the exam was deleted in the meantime.
    """
    work.db.execute(
        update(Exam)
        .where(Exam.id == exam_id, Exam.first_started_at.is_(None))
        .values(first_started_at=work.now),
        execution_options={"synchronize_session": False},
    )
    return _one(work, exam_id)


def _one(work: Work, exam_id: int, lock: Any = None, **how: Any) -> Exam:
    """The exam, read again from the database. `how` is passed to `Session.get`.

    Raises NotFound if there is no such exam, or if it is marked as deleted.
    """
    exam = work.db.get(Exam, exam_id, with_for_update=lock, populate_existing=True, **how)
    if exam is None or exam.deleted_at is not None:
        raise NotFound
    return exam
