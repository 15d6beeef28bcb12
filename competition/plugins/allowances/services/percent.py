"""A candidate's extra percentage: how much longer their countdown is in exams they start later."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import joinedload

from competition.core import audit
from competition.core.users import accounts
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.allowances.models import CandidateAllowance, Percent
from competition.plugins.sittings.models import ExtraPercent

CHANGE = "allowance.percent"


def of_candidate(work: Work, candidate_id: UUID) -> Percent:
    row = work.db.execute(
        select(ExtraPercent.percent, CandidateAllowance)
        .join(CandidateAllowance, CandidateAllowance.candidate_id == ExtraPercent.candidate_id)
        .where(ExtraPercent.candidate_id == candidate_id)
        .options(joinedload(CandidateAllowance.updated_by))
        .execution_options(populate_existing=True)
    ).one_or_none()
    if row is None:
        return Percent()
    percent, given = row
    return Percent(percent, given.reason, given.updated_by, given.updated_at)


def change(work: Work, candidate: Candidate, percent: int, reason: str) -> Percent:
    """Set the candidate's percentage. Attempts that have started are not changed.

    Raises Invalid if the candidate's account was erased.
    """
    accounts.keep_one(work, candidate.id)
    # A concurrent change waits for this lock, so that it records the value set here as the old
    # value.
    work.lock(f"allowances.percent {candidate.id}")
    before = of_candidate(work, candidate.id)
    values = {"candidate_id": candidate.id, "percent": percent}
    work.db.execute(
        insert(ExtraPercent)
        .values(values)
        .on_conflict_do_update(index_elements=["candidate_id"], set_=values)
    )
    given = {
        "candidate_id": candidate.id,
        "reason": reason,
        "updated_by_id": work.identity.user_id,
        "updated_at": work.now,
    }
    work.db.execute(
        insert(CandidateAllowance)
        .values(given)
        .on_conflict_do_update(index_elements=["candidate_id"], set_=given)
    )
    old = {"percent": before.percent, "reason": before.reason}
    new = {"percent": percent, "reason": reason}
    audit.record_change(work, CHANGE, "", old, new, target=candidate.id, erasable=True)
    return of_candidate(work, candidate.id)
