from competition.core.events import subscriber
from competition.core.seasons.events import CandidateJoined
from competition.core.users.events import AccountActivated
from competition.plugins.accounts.events import AccountRegistered, AccountsRegistered
from competition.plugins.people.events import CandidateRowsChecked
from competition.plugins.privacy.services import consent, deletion


@subscriber(AccountRegistered)
def store_consent(event: AccountRegistered) -> None:
    consent.store(event.work, event.user_id, event.contributed)


@subscriber(AccountsRegistered)
def store_consents_of_staff(event: AccountsRegistered) -> None:
    if event.kind == "candidate":
        consent.store_vouched(event.work, event.contributed)


@subscriber(CandidateRowsChecked)
def check_rows(event: CandidateRowsChecked) -> None:
    consent.check_rows(event.work, event.rows)


@subscriber(AccountActivated)
def cancel_deletion(event: AccountActivated) -> None:
    """Cancel the deletion of an account that staff have activated again. Otherwise the service
    would erase the account after a later deactivation."""
    deletion.cancel(event.work, event.user_id)


@subscriber(CandidateJoined)
def store_consent_to_the_season(event: CandidateJoined) -> None:
    """Store a guardian's consent to a further season, if it was given. Earlier consents stay."""
    consent.store(event.work, event.user_id, event.contributed)
