from datetime import timedelta

from competition.core.jobs import task
from competition.core.work import Work
from competition.plugins.accounts.services import accounts


@task("accounts.delete_unverified_staff", every=timedelta(minutes=1))
def delete_unverified_staff(work: Work) -> None:
    accounts.delete_abandoned_accounts(work)
