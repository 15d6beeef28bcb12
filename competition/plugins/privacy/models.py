from datetime import datetime
from uuid import UUID, uuid4

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from competition.core.database import Base
from competition.core.storage.models import File
from competition.core.users.credentials import AuthSession
from competition.core.users.models import User


class Export(Base):
    """A user's request for an export of their personal data. The row has a file once the export is
    ready."""

    __tablename__ = "privacy_export"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=uuid4)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)
    requested_at: Mapped[datetime]
    ready_at: Mapped[datetime | None]
    file: Mapped[str | None] = mapped_column(ForeignKey(File.key), index=True)
    # The session that requested the export. When it ends, the link stops working.
    session_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(AuthSession.id, ondelete="SET NULL"), index=True
    )

    __table_args__ = (
        CheckConstraint("(ready_at is null) = (file is null)", name="ready_with_a_file"),
        # A user has at most one export that is not ready.
        Index(
            "ix_privacy_export_waiting",
            "user_id",
            unique=True,
            postgresql_where=text("ready_at is null"),
        ),
    )


class Deletion(Base):
    """A requested deletion. Until `erase_at` the account is deactivated, and can be restored."""

    __tablename__ = "privacy_deletion"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    requested_at: Mapped[datetime]
    erase_at: Mapped[datetime]
    # Whether the user requested the deletion. If a manager did, the audit trail says who.
    is_own: Mapped[bool]
    # SHA-256 of the code that was emailed to the user, for cancelling the deletion.
    code_hash: Mapped[str | None] = mapped_column(String(64), unique=True)

    user: Mapped[User] = relationship(lazy="raise")


class ConsentText(Base):
    """A text that guardians have agreed to. `version` is its SHA-256."""

    __tablename__ = "privacy_consent_text"

    version: Mapped[str] = mapped_column(String(64), primary_key=True)
    text: Mapped[str]


class Consent(Base):
    """A guardian's consent to the registration of a candidate, or to a further season: who agreed,
    when, and to which text.

    If staff have created the account, they vouch for the consent, and `email` may be empty.
    """

    __tablename__ = "privacy_consent"

    candidate_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    name: Mapped[str] = mapped_column(String(200))
    email: Mapped[str] = mapped_column(String(254))
    given_at: Mapped[datetime] = mapped_column(primary_key=True)
    version: Mapped[str] = mapped_column(ForeignKey(ConsentText.version), index=True)
    vouched_by_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("user.id", ondelete="SET NULL"), index=True
    )
