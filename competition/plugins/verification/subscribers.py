from pyramid.events import subscriber

from competition.core.users.events import AccountChanging, IdentitiesVouched, SchoolsRenamed
from competition.plugins.verification.services import changes, deciding


@subscriber(AccountChanging)
def hold_back_changes(event: AccountChanging) -> None:
    changes.hold_back(event.work, event.user_id, event.values)


@subscriber(IdentitiesVouched)
def end_reviews(event: IdentitiesVouched) -> None:
    deciding.end_reviews(event.work, event.pending)


@subscriber(SchoolsRenamed)
def rename_schools(event: SchoolsRenamed) -> None:
    changes.rename_schools(event.work, event.keys, event.name)
