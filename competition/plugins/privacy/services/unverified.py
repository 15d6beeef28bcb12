"""Candidates who registered and were never verified: kept for some time only, if a setting says
so."""

from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from competition.core.jobs.housekeeping import retention
from competition.core.users import accounts, personal_data
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.privacy import PrivacySettings

# In one transaction; the rest has its turn an hour later.
MOST_AT_ONCE = 100


@retention("privacy.unverified")
def forget(work: Work) -> None:
    """Documents that wait for staff keep their candidate, who can't be blamed for that."""
    days = work.settings[PrivacySettings].unverified_days
    if days == 0:
        return
    found = work.db.scalars(
        select(Candidate.id)
        .where(
            Candidate.is_active,
            Candidate.updated_at <= work.now - timedelta(days=days),
            Candidate.verification != "pending",
            ~Candidate.is_verified,
        )
        .order_by(Candidate.updated_at, Candidate.id)
        .limit(MOST_AT_ONCE)
        .with_for_update(key_share=True, skip_locked=True)
    ).all()
    for candidate_id in found:
        personal_data.erase(work, candidate_id)
        try:
            with work.db.begin_nested():
                accounts.delete_all(work, Candidate.id == candidate_id)
        except IntegrityError:
            # A score refers to the row: without a person it stays.
            continue
