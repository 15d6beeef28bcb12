"""The table of emails."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import Identity, Index, String, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.choices import one_of
from competition.core.database import Base

MailState = Literal["pending", "sent", "skipped", "failed"]


class Mail(Base):
    """One email to one recipient: its template with the arguments, and its state."""

    __tablename__ = "mail"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    # The id that emails have in common if they were created together, for `mails.counts`. It never
    # changes.
    batch: Mapped[UUID] = mapped_column(index=True)
    # The id that emails have in common if one job sends them, one after the other. Sending an email
    # again sets a new id.
    sending: Mapped[UUID]
    template: Mapped[str] = mapped_column(String(100))
    recipient: Mapped[str] = mapped_column(String(254), index=True)
    args: Mapped[dict[str, Any]] = mapped_column(JSONB)
    state: Mapped[MailState] = mapped_column(String(10), default="pending")
    tries: Mapped[int] = mapped_column(default=0)
    try_after: Mapped[datetime]
    last_error: Mapped[str | None]
    created_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]
    # The trace of the transaction that created the email, if it was traced.
    traceparent: Mapped[str | None] = mapped_column(String(55))

    __table_args__ = (
        one_of("state", MailState),
        Index(
            "ix_mail_pending", "sending", "tries", "id", postgresql_where=text("state = 'pending'")
        ),
        Index("ix_mail_failed", "id", postgresql_where=text("state = 'failed'")),
    )
