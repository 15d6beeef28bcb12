"""Read drafts: the caller's own, or a candidate's on behalf of staff."""

from collections.abc import Collection
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Row, bindparam, func, select, tuple_

from competition.core import audit
from competition.core.errors import NotFound
from competition.core.work import Work
from competition.plugins.drafts import DraftSettings
from competition.plugins.drafts.models import Draft
from competition.plugins.exams.models import FrozenPaper
from competition.plugins.exams.services import papers, rows
from competition.plugins.sittings.models import UNANSWERED, Attempt, Submission

# The columns rather than the class, because SQLAlchemy reads them faster, and opening a paper
# always reads them.
DRAFTS = Draft.metadata.tables["draft"]
OWN = select(*DRAFTS.c).where(
    DRAFTS.c.exam_id == bindparam("exam_id"), DRAFTS.c.candidate_id == bindparam("candidate_id")
)


def own(work: Work, exam_id: int) -> tuple[Row[Any] | None, FrozenPaper | None]:
    """The caller's draft and the exam's frozen paper. Either is None if it does not exist."""
    values = {"exam_id": exam_id, "candidate_id": work.identity.user_id}
    draft = work.db.execute(OWN, values).one_or_none()
    return draft, papers.frozen(work, exam_id)


def answered(work: Work, attempts: Collection[tuple[int, UUID]]) -> dict[tuple[int, UUID], int]:
    """How many questions each attempt has answered: in its submission, or in its draft if there is
    no submission."""
    answers = func.coalesce(Submission.answers, Draft.answers)
    keys = tuple_(Attempt.exam_id, Attempt.candidate_id)
    rows = work.db.execute(
        select(Attempt.exam_id, Attempt.candidate_id, answers)
        .outerjoin(Submission, keys == tuple_(Submission.exam_id, Submission.candidate_id))
        .outerjoin(Draft, keys == tuple_(Draft.exam_id, Draft.candidate_id))
        .where(keys.in_(attempts))
    )
    found = {
        (exam_id, candidate_id): len(given) - given.count(UNANSWERED)
        for exam_id, candidate_id, given in rows
        if given is not None
    }
    return {attempt: found.get(attempt, 0) for attempt in attempts}


def of_candidate(
    work: Work, exam_id: int, candidate_id: UUID
) -> tuple[Draft | None, FrozenPaper | None]:
    """A candidate's draft and the exam's paper, for staff. Each call is recorded in the audit
    trail.

    Raises NotFound if there is no draft, or if the exam was published more than `kept_days` ago.
    """
    exam = rows.with_results(work, exam_id)
    draft = work.db.get(Draft, (exam_id, candidate_id))
    retention = timedelta(days=work.settings[DraftSettings].kept_days)
    if draft is None or (
        exam.published_at is not None and exam.published_at + retention <= work.now
    ):
        raise NotFound
    audit.record(work, "draft.read", target=candidate_id, subject=f"exam {exam_id}")
    return draft, papers.frozen(work, exam_id)
