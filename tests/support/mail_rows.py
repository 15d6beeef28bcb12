"""Create emails of the plugin `probe`, and read their states."""

from collections.abc import Iterable
from typing import Any
from uuid import uuid4

from sqlalchemy import select

from competition.core.mail import mails
from competition.core.mail.models import Mail
from competition.core.work import begin
from competition.testing.service import Service


def write(service: Service, recipients: Iterable[str], **args: Any) -> None:
    """Add emails for the recipients in one batch, and dispatch it."""
    batch = uuid4()
    with begin(service.runtime) as work:
        mails.add(work, batch, "probe.letter", recipients, **args)
        mails.dispatch(work, batch)


def rows(service: Service) -> list[Mail]:
    with begin(service.runtime) as work:
        return list(work.db.scalars(select(Mail).order_by(Mail.id)))


def row(service: Service) -> Mail:
    [found] = rows(service)
    return found
