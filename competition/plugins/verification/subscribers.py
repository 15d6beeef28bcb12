from pyramid.events import subscriber

from competition.core.users.events import AccountChanging
from competition.plugins.verification.services import changes


@subscriber(AccountChanging)
def hold_back_changes(event: AccountChanging) -> None:
    changes.hold_back(event.work, event.user_id, event.values)
