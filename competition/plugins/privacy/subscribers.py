from competition.core.events import subscriber
from competition.plugins.accounts.events import AccountRegistered
from competition.plugins.privacy.services import consent


@subscriber(AccountRegistered)
def keep_consent(event: AccountRegistered) -> None:
    given = event.contributed.get("guardian_consent")
    if given is not None:
        consent.keep(event.work, event.user_id, given)
