"""The row of an exam: found, locked, marked as started.

Whoever takes several locks takes them in this order, so that nobody waits in a circle: exams by
their ids, questions by their ids, papers by the ids of their exams. Attempts, submissions and
scores refer to those rows, and inserting them waits for nothing but a deletion and a sealing.
"""

from typing import Any

from sqlalchemy import update
from sqlalchemy.orm import joinedload
from sqlalchemy.orm.attributes import set_committed_value

from competition.core.errors import NotFound
from competition.core.users.models import Staff
from competition.core.work import Work
from competition.plugins.exams.models import WITH_COUNT, Exam

WITH_PEOPLE = (joinedload(Exam.created_by), joinedload(Exam.updated_by))


def get(work: Work, exam_id: int) -> Exam:
    """The exam, with who created and changed it. Raises NotFound."""
    return _one(work, exam_id, options=WITH_PEOPLE)


def locked(work: Work, exam_id: int) -> Exam:
    """The exam, locked: until the commit nobody else changes, first starts or seals it; submissions
    and scores pass. Raises NotFound."""
    exam = _one(work, exam_id, {"of": Exam, "key_share": True}, options=WITH_PEOPLE)
    if exam.updated_by_id is not None and exam.updated_by is None:
        # Changed by somebody else while this waited: the join still had the one before.
        set_committed_value(exam, "updated_by", work.db.get(Staff, exam.updated_by_id))
    return exam


def locked_whole(work: Work, exam_id: int) -> Exam:
    """The exam, locked against everything that would refer to it: to delete it. Raises NotFound."""
    return _one(work, exam_id, True)


def locked_against_deletion(work: Work, exam_id: int) -> Exam:
    """The exam with its number of questions, not deleted until the commit. Raises NotFound."""
    return _one(work, exam_id, {"read": True, "key_share": True}, options=[WITH_COUNT])


def mark_started(work: Work, exam_id: int) -> Exam:
    """Set when the first candidate started, unless it is set; returns the exam, read again.

    The caller found it not set. This waits for a transaction that changes the exam, so that the
    caller has to check again what it had checked before. Raises NotFound if the exam was deleted in
    the meantime.
    """
    work.db.execute(
        update(Exam)
        .where(Exam.id == exam_id, Exam.first_started_at.is_(None))
        .values(first_started_at=work.now),
        execution_options={"synchronize_session": False},
    )
    return _one(work, exam_id)


def _one(work: Work, exam_id: int, lock: Any = None, **how: Any) -> Exam:
    """The exam as the database has it now. `how` is passed to `Session.get`. Raises NotFound."""
    exam = work.db.get(Exam, exam_id, with_for_update=lock, populate_existing=True, **how)
    if exam is None or exam.deleted_at is not None:
        raise NotFound
    return exam
