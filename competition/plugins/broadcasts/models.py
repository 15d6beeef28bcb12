from datetime import datetime
from typing import Literal
from uuid import UUID, uuid4

from sqlalchemy import ForeignKey, Identity, Index, String, UniqueConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column, relationship

from competition.core.auth.identity import Kind
from competition.core.choices import one_of
from competition.core.database import Base
from competition.core.users.models import Staff

Medium = Literal["email", "platform"]
Status = Literal["pending", "sent", "failed"]


class Broadcast(Base):
    """A broadcast as it was requested: its text, the recipients' roles, and the mediums."""

    __tablename__ = "broadcast"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    # Identifies the sending in the API. The queue of emails stores it as the `batch` of all emails
    # of this broadcast.
    task_id: Mapped[UUID] = mapped_column(unique=True, default=uuid4)
    subject: Mapped[str] = mapped_column(String(255))
    message: Mapped[str]
    mediums: Mapped[list[Medium]] = mapped_column(JSONB)
    target_roles: Mapped[dict[str, list[str]]] = mapped_column(JSONB)
    # True if only candidates who have joined the current season get the broadcast, False if only
    # those who have not joined it, None if all candidates get it.
    joined: Mapped[bool | None]
    status: Mapped[Status] = mapped_column(String(10), default="pending")
    created_by_id: Mapped[UUID] = mapped_column(ForeignKey("user.id"), index=True)
    created_at: Mapped[datetime]
    last_attempt: Mapped[datetime | None]

    created_by: Mapped[Staff] = relationship(lazy="raise")
    deliveries: Mapped[list["Delivery"]] = relationship(lazy="raise", order_by="Delivery.id")

    __table_args__ = (
        one_of("status", Status),
        Index("ix_broadcast_created_at_id", "created_at", "id"),
    )


class Delivery(Base):
    """The sending of a broadcast by one medium to one role. When it ends, the API shows it as a
    log item. `done` of `total` recipients have been notified, in the order of their ids. `cursor`
    is the id of the recipient who was notified last."""

    __tablename__ = "broadcast_delivery"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    broadcast_id: Mapped[int] = mapped_column(ForeignKey("broadcast.id", ondelete="CASCADE"))
    medium: Mapped[Medium] = mapped_column(String(10))
    role_type: Mapped[Kind] = mapped_column(String(10))
    target_role: Mapped[str] = mapped_column(String(20))
    status: Mapped[Status] = mapped_column(String(10), default="pending")
    total: Mapped[int]
    done: Mapped[int] = mapped_column(default=0)
    cursor: Mapped[UUID | None]
    attempted_at: Mapped[datetime | None]

    __table_args__ = (
        UniqueConstraint("broadcast_id", "medium", "target_role"),
        one_of("status", Status),
        one_of("medium", Medium),
    )


class Recipient(Base):
    """A recipient of a broadcast, stored while it is being sent.

    One statement selects all recipients, and each has one role. So a user who gets another role
    during the sending is notified only once by each medium.
    """

    __tablename__ = "broadcast_recipient"

    broadcast_id: Mapped[int] = mapped_column(
        ForeignKey("broadcast.id", ondelete="CASCADE"), primary_key=True
    )
    role: Mapped[str] = mapped_column(String(20), primary_key=True)
    # No foreign key: accounts that are deleted during the sending are skipped.
    user_id: Mapped[UUID] = mapped_column(primary_key=True)
