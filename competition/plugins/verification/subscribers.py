from pyramid.events import subscriber

from competition.core.users.events import AccountChanging, IdentitiesVouched
from competition.plugins.verification.services import changes, deciding


@subscriber(AccountChanging)
def hold_back_changes(event: AccountChanging) -> None:
    changes.hold_back(event.work, event.user_id, event.values)


@subscriber(IdentitiesVouched)
def end_reviews(event: IdentitiesVouched) -> None:
    deciding.end_reviews(event.work, event.pending)
