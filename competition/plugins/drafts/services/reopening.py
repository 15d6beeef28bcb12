"""Take back a candidate's own submission, and let the candidate continue with its answers."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from competition.core import audit
from competition.core.users import accounts
from competition.core.work import Work
from competition.plugins.drafts.models import Draft
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import rows
from competition.plugins.sittings.models import Submission
from competition.plugins.sittings.services import reopening

REOPEN = "attempt.reopen"


def locked_exam(work: Work, exam_id: int, candidate_id: UUID) -> Exam:
    """Guard: lock the exam, and return it.

    Raises NotFound if there is no such exam or candidate, and SeasonClosed if its season is closed.
    """
    exam = rows.locked(work, exam_id)
    accounts.candidate(work, candidate_id)
    return exam


def reopen(work: Work, exam: Exam, candidate_id: UUID, given: Mapping[str, Any]) -> datetime:
    """Take back the candidate's submission, and return the deadline of the attempt.

    The submitted answers become the draft. Raises Invalid if nobody can submit the exam any longer,
    if the candidate has not submitted, if their account was erased, if their time is over, or if
    they can see their score.
    """
    submission = reopening.own_submission(work, exam, candidate_id)
    submitted_at = submission.submitted_at
    _keep_answers(work, submission)
    extra = timedelta(minutes=given["extra_minutes"])
    deadline, stood = reopening.take_back(work, exam, submission, extra)
    audit.record(
        work,
        REOPEN,
        target=candidate_id,
        subject=f"exam {exam.id}",
        old={"submitted_at": str(submitted_at), "stood_seconds": int(stood.total_seconds())},
        new=dict(given),
        erasable=True,
    )
    return deadline


def _keep_answers(work: Work, submission: Submission) -> None:
    """Save the submitted answers as the draft, with the sequence after that of the latest save.

    So a delayed save with this or a lower sequence changes nothing, and neither does one that
    follows a draft from before the reopening, whatever its sequence is.
    """
    first = insert(Draft).values(
        exam_id=submission.exam_id,
        candidate_id=submission.candidate_id,
        sequence=1,
        reopened_sequence=1,
        answers=submission.answers,
        changes=submission.answers,
        saved_at=work.now,
    )
    work.db.execute(
        first.on_conflict_do_update(
            index_elements=[Draft.exam_id, Draft.candidate_id],
            set_={
                "sequence": Draft.sequence + 1,
                "reopened_sequence": Draft.sequence + 1,
                "answers": first.excluded.answers,
                "changes": first.excluded.changes,
                "saved_at": first.excluded.saved_at,
                "closed_at": None,
            },
        )
    )
