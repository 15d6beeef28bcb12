from competition.core.events import subscriber
from competition.plugins.accounts.events import AccountRegistered
from competition.plugins.privacy.services import consent


@subscriber(AccountRegistered)
def store_consent(event: AccountRegistered) -> None:
    given = event.contributed.get("guardian_consent")
    if given is not None:
        consent.store(event.work, event.user_id, given)
