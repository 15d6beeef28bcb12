from pyramid.events import subscriber

from competition.core.users.events import AccountChanging
from competition.plugins.verification import services


@subscriber(AccountChanging)
def hold_back_what_was_approved(event: AccountChanging) -> None:
    services.hold_back(event.work, event.user_id, event.values)
