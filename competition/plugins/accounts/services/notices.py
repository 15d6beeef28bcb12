"""Emails that notify owners of changed credentials, in case someone else changed them."""

from uuid import UUID

from competition.core.mail import mails
from competition.core.users.events import Credential
from competition.core.users.models import User
from competition.core.work import Work


def credentials_changed(work: Work, user_id: UUID, credential: Credential) -> None:
    mails.send(work, f"accounts.{credential}_changed", work.db.get_one(User, user_id).email)
