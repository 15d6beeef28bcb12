"""Erase candidates who have registered but were never verified, if `unverified_days` is set."""

from contextlib import suppress
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from competition.core.jobs.housekeeping import retention
from competition.core.users import accounts, personal_data
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.privacy import PrivacySettings

# How many candidates one run erases. The next run, an hour later, continues.
MOST_AT_ONCE = 100


@retention("privacy.unverified")
def erase_unverified(work: Work) -> None:
    """Erase unverified candidates whose accounts have not changed for `unverified_days`.

    Candidates whose documents are waiting for a decision are not erased, because staff cause the
    delay.
    """
    days = work.settings[PrivacySettings].unverified_days
    if days == 0 or not work.lock("privacy.unverified", wait=False):
        # The setting disables the deletion, or another run has not ended yet.
        return
    unverified = select(Candidate.id).where(
        Candidate.is_active,
        Candidate.updated_at <= work.now - timedelta(days=days),
        Candidate.verification != "pending",
        ~Candidate.is_verified,
    )
    oldest = unverified.order_by(Candidate.updated_at, Candidate.id).limit(MOST_AT_ONCE)
    for candidate_id in sorted(work.db.scalars(oldest)):
        personal_data.lock_to_erase(work, candidate_id)
        # The candidate or staff may have changed the account before it was locked.
        if work.db.scalar(unverified.where(Candidate.id == candidate_id)) is None:
            continue
        personal_data.erase(work, candidate_id)
        # If another row refers to the account, such as a score, the account stays, without its
        # personal data.
        with suppress(IntegrityError), work.db.begin_nested():
            accounts.delete_all(work, Candidate.id == candidate_id)
