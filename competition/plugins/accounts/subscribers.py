from pyramid.events import subscriber

from competition.core.users.events import CredentialsChanged
from competition.plugins.accounts.services import notices


@subscriber(CredentialsChanged)
def notify_owner(event: CredentialsChanged) -> None:
    notices.credentials_changed(event.work, event.user_id, event.credential)
