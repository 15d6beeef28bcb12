"""The tables that every feature needs."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID, uuid4

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ColumnElement,
    Computed,
    ForeignKey,
    Identity,
    Index,
    Sequence,
    String,
    UniqueConstraint,
    and_,
    case,
    literal,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.auth.identity import Kind
from competition.core.db import Base

Verification = Literal["not_submitted", "pending", "approved", "rejected"]
ProfileStatus = Literal["active", "inactive", "pending", "deactivated"]

# The integer ids of candidates. Not a column's default: staff, in the same table, has none.
candidate_number = Sequence("candidate_number", metadata=Base.metadata)


# User.status, laid out as PostgreSQL writes it: so Alembic sees that it is the same.
STATUS = """
case
    when not is_active then 'deactivated'
    when verification = 'pending' then 'pending'
    when is_email_verified and verification = 'approved' then 'active'
    else 'inactive'
end"""


class User(Base):
    """An account and its profile, one row: a user is a candidate or a member of staff for life.

    See docs/decisions/0002-one-row-per-account.md.
    """

    __tablename__ = "user"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=uuid4)
    kind: Mapped[Kind] = mapped_column(String(10))
    email: Mapped[str] = mapped_column(String(254), unique=True)
    password_hash: Mapped[str]
    # Made by the mail that tells it, and not used yet: sending the mail again makes another one.
    password_is_generated: Mapped[bool] = mapped_column(default=False)
    first_name: Mapped[str]
    last_name: Mapped[str]
    phone: Mapped[str]
    role: Mapped[str] = mapped_column(String(20))
    is_active: Mapped[bool] = mapped_column(default=True)
    is_email_verified: Mapped[bool] = mapped_column(default=False)
    # Staff that nobody invited is deleted when the email stays unproven (decisions D16).
    is_invited: Mapped[bool] = mapped_column(default=False)
    verification: Mapped[Verification] = mapped_column(String(20), default="not_submitted")
    # Storage keys of uploaded files.
    face_id: Mapped[str | None]
    id_card: Mapped[str | None]
    verification_document: Mapped[str | None]
    profile_picture: Mapped[str | None]
    date_joined: Mapped[datetime]
    updated_at: Mapped[datetime]
    # What a search for a person looks into, lower case, one space between the parts.
    search_text: Mapped[str] = mapped_column(
        Computed(
            "lower(first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(school, ''))",
            persisted=True,
        )
    )

    __mapper_args__ = {"polymorphic_on": "kind"}
    __table_args__ = (
        CheckConstraint("kind in ('candidate', 'staff')", name="kind"),
        CheckConstraint("email = lower(email)", name="email_is_lower_case"),
        CheckConstraint(
            "verification in ('not_submitted', 'pending', 'approved', 'rejected')",
            name="verification",
        ),
        CheckConstraint(
            "(kind = 'candidate') = (school is not null and number is not null)",
            name="candidate_has_school_and_number",
        ),
        CheckConstraint("(kind = 'staff') = (occupation is not null)", name="staff_has_occupation"),
        CheckConstraint(
            "case kind"
            " when 'candidate' then role in ('screening', 'league', 'final', 'winner')"
            " else role in"
            " ('volunteer', 'moderator', 'admin', 'manager', 'superadmin', 'sponsor') end",
            name="role",
        ),
        Index(
            "ix_user_search_text",
            "search_text",
            postgresql_using="gin",
            postgresql_ops={"search_text": "gin_trgm_ops"},
        ),
        # Lists of people, the latest first, and their counts: what is filtered by is in the index.
        Index(
            "ix_user_kind_date_joined_id",
            "kind",
            text("date_joined DESC"),
            text("id DESC"),
            postgresql_include=["verification", "is_active", "is_email_verified"],
        ),
        Index(
            "ix_user_kind_role_date_joined_id",
            "kind",
            "role",
            text("date_joined DESC"),
            text("id DESC"),
        ),
        Index(
            "ix_user_kind_status_date_joined_id",
            "kind",
            text(f"({STATUS})"),
            text("date_joined DESC"),
            text("id DESC"),
        ),
        Index(
            "ix_user_unverified",
            "kind",
            text("date_joined DESC"),
            text("id DESC"),
            postgresql_where=text("verification <> 'approved'"),
        ),
        Index(
            "ix_user_date_joined_id",
            text("date_joined DESC"),
            text("id DESC"),
            postgresql_include=["is_active"],
        ),
    )

    @property
    def full_name(self) -> str:
        return f"{self.first_name} {self.last_name}"

    @property
    def is_user_verified(self) -> bool:
        return self.verification == "approved"

    @hybrid_property
    def status(self) -> ProfileStatus:
        """Decisions F10."""
        if not self.is_active:
            return "deactivated"
        if self.verification == "pending":
            return "pending"
        return "active" if self.is_email_verified and self.is_user_verified else "inactive"

    @status.inplace.expression
    @classmethod
    def _status(cls) -> ColumnElement[str]:
        # Written out: with parameters it would not be what the index has.
        deactivated, pending, approved, active, inactive = (
            literal(word, literal_execute=True)
            for word in ("deactivated", "pending", "approved", "active", "inactive")
        )
        return case(
            (~cls.is_active, deactivated),
            (cls.verification == pending, pending),
            (and_(cls.is_email_verified, cls.verification == approved), active),
            else_=inactive,
        )


class Candidate(User):
    __mapper_args__ = {"polymorphic_identity": "candidate"}

    # The integer id of leaderboards (decisions A1), from the sequence candidate_number.
    number: Mapped[int] = mapped_column(nullable=True, unique=True)
    school: Mapped[str] = mapped_column(String(200), nullable=True)


class Staff(User):
    __mapper_args__ = {"polymorphic_identity": "staff"}

    occupation: Mapped[str] = mapped_column(String(150), nullable=True)


class AuthSession(Base):
    """A login and all tokens that come of it (a session family).

    Refresh tokens rotate; the last two are known by their `jti`, everything older is reuse.
    """

    __tablename__ = "session"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=uuid4)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)
    refresh_jti: Mapped[UUID]
    previous_jti: Mapped[UUID | None]
    created_at: Mapped[datetime]
    refreshed_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]


class SocketTicket(Base):
    """Opens one socket, once, for a client that can't send headers; kept as a digest."""

    __tablename__ = "socket_ticket"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    session_id: Mapped[UUID] = mapped_column(
        ForeignKey("session.id", ondelete="CASCADE"), index=True
    )
    expires_at: Mapped[datetime]
    # When the access token ends that it was made with.
    token_expires_at: Mapped[datetime]


class ApiKey(Base):
    """A client application's key, kept as a digest; `prefix` names it to humans."""

    __tablename__ = "api_key"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    name: Mapped[str] = mapped_column(String(100), unique=True)
    prefix: Mapped[str] = mapped_column(String(20))
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class Flag(Base):
    """A run-time switch that differs from its default."""

    __tablename__ = "flag"

    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    enabled: Mapped[bool]
    updated_at: Mapped[datetime]


class Job(Base):
    """One run of a task. `key` names what jobs of one name may be run together for."""

    __tablename__ = "job"

    # Every sweep of every worker takes some numbers.
    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    key: Mapped[str] = mapped_column(String(200), default="")
    args: Mapped[dict[str, Any]] = mapped_column(JSONB)
    state: Mapped[str] = mapped_column(String(10), default="pending")
    attempts: Mapped[int] = mapped_column(default=0)
    run_after: Mapped[datetime]
    lease: Mapped[UUID | None]
    lease_until: Mapped[datetime | None]
    last_error: Mapped[str | None]
    request_id: Mapped[str] = mapped_column(String(100))
    # Set on periodic work: one job a name and tick, however many schedulers there are.
    tick: Mapped[datetime | None]
    created_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]

    __table_args__ = (
        UniqueConstraint("name", "tick"),
        CheckConstraint("state in ('pending', 'running', 'done', 'failed')", name="state"),
        Index(
            "ix_job_open",
            "name",
            "key",
            "run_after",
            postgresql_where=text("state in ('pending', 'running')"),
        ),
        Index("ix_job_failed", "id", postgresql_where=text("state = 'failed'")),
    )


class Mail(Base):
    """One mail to one recipient: which template with which ids, and what became of it."""

    __tablename__ = "mail"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    # Those that were asked for together.
    batch: Mapped[UUID] = mapped_column(index=True)
    # Those that are sent by one job, one after the other.
    sending: Mapped[UUID]
    template: Mapped[str] = mapped_column(String(100))
    recipient: Mapped[str] = mapped_column(String(254), index=True)
    args: Mapped[dict[str, Any]] = mapped_column(JSONB)
    state: Mapped[str] = mapped_column(String(10), default="pending")
    tries: Mapped[int] = mapped_column(default=0)
    try_after: Mapped[datetime]
    last_error: Mapped[str | None]
    created_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]

    __table_args__ = (
        CheckConstraint("state in ('pending', 'sent', 'skipped', 'failed')", name="state"),
        Index(
            "ix_mail_pending", "sending", "tries", "id", postgresql_where=text("state = 'pending'")
        ),
        Index("ix_mail_failed", "id", postgresql_where=text("state = 'failed'")),
    )


class Aggregate(Base):
    """Numbers over everybody, as last computed."""

    __tablename__ = "aggregate"

    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    value: Mapped[Any] = mapped_column(JSONB)
    computed_at: Mapped[datetime]


class AuditEntry(Base):
    """An act of staff or an operator: who did what to whom, from where. Never changed."""

    __tablename__ = "audit"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    # No foreign keys: the record outlives the accounts.
    actor_id: Mapped[UUID | None] = mapped_column(index=True)
    target_id: Mapped[UUID | None] = mapped_column(index=True)
    action: Mapped[str] = mapped_column(String(100))
    subject: Mapped[str] = mapped_column(String(200), default="")
    old: Mapped[Any | None] = mapped_column(JSONB(none_as_null=True))
    new: Mapped[Any | None] = mapped_column(JSONB(none_as_null=True))
    address: Mapped[str | None]
    request_id: Mapped[str] = mapped_column(String(100))
    created_at: Mapped[datetime]

    __table_args__ = (Index("ix_audit_created_at_id", "created_at", "id"),)
