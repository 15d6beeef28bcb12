from pyramid.events import subscriber

from competition.core.mail import mails
from competition.core.users.events import CredentialsChanged
from competition.core.users.models import User


@subscriber(CredentialsChanged)
def notify_owner(event: CredentialsChanged) -> None:
    """Email the owner about changed credentials, in case someone else changed them."""
    owner = event.work.db.get_one(User, event.user_id)
    mails.send(event.work, f"accounts.{event.credential}_changed", owner.email)
