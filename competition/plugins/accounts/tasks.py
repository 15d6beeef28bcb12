from datetime import timedelta

from competition.core.jobs import aggregates
from competition.core.jobs.tasks import task
from competition.core.work import Work
from competition.plugins.accounts.services import accounts, codes, schools


@task("accounts.delete_unverified_staff", every=timedelta(minutes=1))
def delete_unverified_staff(work: Work) -> None:
    """Delete the accounts of staff who registered and did not verify their email address in
    time."""
    accounts.delete_abandoned_accounts(work)


@task("accounts.delete_expired_codes", every=timedelta(hours=1))
def delete_expired_codes(work: Work) -> None:
    """Delete emailed codes that have expired."""
    codes.delete_expired(work)


@task("accounts.schools", every=aggregates.REFRESHED_EVERY)
def refresh_schools(work: Work) -> None:
    """Find the names of schools that the service suggests during registration, and store them."""
    schools.NAMES.refresh(work)
