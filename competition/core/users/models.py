"""The table of accounts: candidates and staff."""

from datetime import datetime
from typing import Literal
from uuid import UUID, uuid4

from sqlalchemy import (
    ARRAY,
    CheckConstraint,
    ColumnElement,
    Computed,
    ForeignKey,
    Index,
    Sequence,
    String,
    and_,
    func,
    or_,
    text,
)
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.auth.access import CandidateRole, StaffRole
from competition.core.auth.identity import Kind
from competition.core.choices import is_one_of, one_of
from competition.core.database import Base
from competition.core.storage.models import File

Verification = Literal["not_submitted", "pending", "approved", "rejected"]
ProfileStatus = Literal["active", "inactive", "pending", "deactivated"]

# The integer ids of candidates. Not a column's default: staff, in the same table, has none.
candidate_number = Sequence("candidate_number", metadata=Base.metadata)


# The status of a profile (decisions F10). `inactive` is the API's word for an account that may log
# in and is not verified yet. Laid out as PostgreSQL writes it: Alembic sees that it is the same.
STATUS = """
case
    when not is_active then 'deactivated'
    when verification = 'pending' then 'pending'
    when is_email_verified and verification = 'approved' then 'active'
    else 'inactive'
end"""


# The columns that are keys of files: identity documents, and the picture.
DOCUMENTS = ("face_id", "id_card", "verification_document")
FILES = (*DOCUMENTS, "profile_picture")


class User(Base):
    """An account and its profile, one row: a user is a candidate or a member of staff for life.

    See docs/decisions/0002-one-row-per-account.md.
    """

    __tablename__ = "user"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=uuid4)
    kind: Mapped[Kind] = mapped_column(String(10))
    email: Mapped[str] = mapped_column(String(254), unique=True)
    password_hash: Mapped[str]
    # Made by the mail that tells it, and not used yet, until it ends: sending the mail again makes
    # another one.
    password_is_generated: Mapped[bool] = mapped_column(default=False)
    password_ends_at: Mapped[datetime | None]
    first_name: Mapped[str]
    last_name: Mapped[str]
    phone: Mapped[str]
    role: Mapped[str] = mapped_column(String(20))
    is_active: Mapped[bool] = mapped_column(default=True)
    # When an account that was active left for good: it is to be erased, or was.
    left_at: Mapped[datetime | None]
    is_email_verified: Mapped[bool] = mapped_column(default=False)
    # Staff that nobody invited is deleted when the email stays unproven (decisions D16).
    is_invited: Mapped[bool] = mapped_column(default=False)
    verification: Mapped[Verification] = mapped_column(String(20), default="not_submitted")
    # Named rights that a member of staff has beside the rank.
    permissions: Mapped[list[str]] = mapped_column(ARRAY(String(100)), default=list)
    # Keys of uploaded files.
    face_id: Mapped[str | None] = mapped_column(ForeignKey(File.key))
    id_card: Mapped[str | None] = mapped_column(ForeignKey(File.key))
    verification_document: Mapped[str | None] = mapped_column(ForeignKey(File.key))
    profile_picture: Mapped[str | None] = mapped_column(ForeignKey(File.key))
    date_joined: Mapped[datetime]
    updated_at: Mapped[datetime]
    # As of the last flush: the database makes it.
    status: Mapped[ProfileStatus] = mapped_column(String(20), Computed(STATUS, persisted=True))
    # What a search for a person looks into, lower case, one space between the parts.
    search_text: Mapped[str] = mapped_column(
        Computed(
            "lower(first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(school, ''))",
            persisted=True,
        )
    )

    # What the database makes comes back with the statement that changes it.
    __mapper_args__ = {"polymorphic_on": "kind", "eager_defaults": True}
    __table_args__ = (
        one_of("kind", Kind),
        CheckConstraint("email = lower(email)", name="email_is_lower_case"),
        one_of("verification", Verification),
        CheckConstraint(
            "(kind = 'candidate') = (school is not null and number is not null)",
            name="candidate_has_school_and_number",
        ),
        CheckConstraint("(kind = 'staff') = (occupation is not null)", name="staff_has_occupation"),
        CheckConstraint(
            f"case kind when 'candidate' then {is_one_of('role', CandidateRole)}"
            f" else {is_one_of('role', StaffRole)} end",
            name="role",
        ),
        Index(
            "ix_user_search_text",
            "search_text",
            postgresql_using="gin",
            postgresql_ops={"search_text": "gin_trgm_ops"},
        ),
        # Lists of people count all accounts of a kind. This index is a fortieth of the table.
        Index("ix_user_kind", "kind"),
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
            "status",
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
        # Else deleting a file reads all accounts through.
        *(
            Index(f"ix_user_{name}", name, postgresql_where=text(f"{name} is not null"))
            for name in FILES
        ),
    )

    @property
    def full_name(self) -> str:
        return f"{self.first_name} {self.last_name}"

    @hybrid_property
    def is_user_verified(self) -> bool:
        """Whether the identity documents are approved."""
        return self.verification == "approved"

    @hybrid_property
    def is_verified(self) -> bool:
        """Whether the user has a verified email address and approved documents (spec
        "Authentication" 11)."""
        return self.is_email_verified and self.is_user_verified

    @is_verified.inplace.expression
    @classmethod
    def _is_verified(cls) -> ColumnElement[bool]:
        return and_(cls.is_email_verified, cls.is_user_verified)


class Candidate(User):
    # With whatever user is loaded: not one by one.
    __mapper_args__ = {"polymorphic_identity": "candidate", "polymorphic_load": "inline"}

    # The integer id of leaderboards (decisions A1), from the sequence candidate_number.
    number: Mapped[int] = mapped_column(nullable=True, unique=True)
    school: Mapped[str] = mapped_column(String(200), nullable=True)
    # The school that staff approved, if the candidate has changed `school` since then.
    approved_school: Mapped[str | None] = mapped_column(String(200))
    # When the candidate came to the school that counts; None: at the registration.
    school_since: Mapped[datetime | None]

    @hybrid_property
    def counted_school(self) -> str:
        """The school that rules go by. A candidate who is approved can't change it alone."""
        return self.school if self.approved_school is None else self.approved_school

    @counted_school.inplace.expression
    @classmethod
    def _counted_school(cls) -> ColumnElement[str]:
        return func.coalesce(cls.approved_school, cls.school)

    @hybrid_property
    def is_ranked(self) -> bool:
        """Whether results count among those of others: of who is active, and of who left on their
        own, which changes nobody else's rank. Not of who was deactivated."""
        return self.is_active or self.left_at is not None

    @is_ranked.inplace.expression
    @classmethod
    def _is_ranked(cls) -> ColumnElement[bool]:
        return or_(cls.is_active, cls.left_at.is_not(None))


class Staff(User):
    __mapper_args__ = {"polymorphic_identity": "staff", "polymorphic_load": "inline"}

    occupation: Mapped[str] = mapped_column(String(150), nullable=True)
