from competition.core.events import subscriber
from competition.core.users.events import AccountActivated
from competition.plugins.accounts.events import AccountRegistered
from competition.plugins.privacy.services import consent, deletion


@subscriber(AccountRegistered)
def store_consent(event: AccountRegistered) -> None:
    given = event.contributed.get("guardian_consent")
    if given is not None:
        consent.store(event.work, event.user_id, given)


@subscriber(AccountActivated)
def cancel_deletion(event: AccountActivated) -> None:
    """Cancel the deletion of an account that staff have activated again. Otherwise the service
    would erase the account after a later deactivation."""
    deletion.cancel(event.work, event.user_id)
