"""The table of accounts: candidates and staff."""

from datetime import datetime
from typing import Any, Literal
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
    false,
    func,
    or_,
    text,
)
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import Mapped, column_property, mapped_column, validates

from competition.core.auth.access import CandidateRole, StaffRole
from competition.core.auth.identity import Kind
from competition.core.choices import is_one_of, one_of
from competition.core.database import Base, SearchKey
from competition.core.messages import Language
from competition.core.seasons.models import CURRENT_ID, EVERYBODY_JOINED
from competition.core.storage.models import File
from competition.core.texts import name_key

Verification = Literal["not_submitted", "pending", "approved", "rejected"]
ProfileStatus = Literal["active", "inactive", "pending", "deactivated"]

# The sequence of the candidates' integer ids. It is not the default of a column, because staff are
# in the same table and have no number.
candidate_number = Sequence("candidate_number", metadata=Base.metadata)


# The status of a profile (decisions F10). In the API, `inactive` means that the account may log in
# but is not verified yet. The SQL is formatted as PostgreSQL prints it, so that Alembic finds no
# difference.
STATUS = """
case
    when not is_active then 'deactivated'
    when verification = 'pending' then 'pending'
    when is_email_verified and verification = 'approved' then 'active'
    else 'inactive'
end"""


# The domain of accounts without an email address: their `email` is their login at this domain. It
# has no mailboxes (RFC 2606).
SLIP_DOMAIN = "slip.invalid"
# The lowest and the highest school year.
YEARS = (1, 13)
# The columns of indexes for lists, newest first.
NEWEST_FIRST = (text("date_joined DESC"), text("id DESC"))
# The key of `Candidate.counted_school`, and conditions, in indexes.
COUNTED_KEY = text("coalesce(approved_school_key, school_key)")
IS_CANDIDATE = text("school is not null")
HAS_NUMBER = text("external_id is not null")

# The columns that contain keys of files: the identity documents and the picture.
DOCUMENTS = ("face_id", "id_card", "verification_document")
FILES = (*DOCUMENTS, "profile_picture")


class User(Base):
    """An account with its profile, in one row. A user is either a candidate or a member of staff,
    and never changes from one to the other.

    See docs/decisions/0002-one-row-per-account.md.
    """

    __tablename__ = "user"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=uuid4)
    kind: Mapped[Kind] = mapped_column(String(10))
    email: Mapped[str] = mapped_column(String(254), unique=True)
    password_hash: Mapped[str]
    # Whether the service generated the password for an email or a slip, and the user has not logged
    # in with it yet. Such a password expires at `password_ends_at`. Sending the email again
    # generates another password.
    password_is_generated: Mapped[bool] = mapped_column(default=False)
    password_ends_at: Mapped[datetime | None]
    # Whether the person who invited the member of staff has chosen the password, and knows it.
    password_is_chosen_by_inviter: Mapped[bool] = mapped_column(
        default=False, server_default=false()
    )
    first_name: Mapped[str]
    last_name: Mapped[str]
    phone: Mapped[str]
    role: Mapped[str] = mapped_column(String(20))
    is_active: Mapped[bool] = mapped_column(default=True)
    # When the owner of an active account left permanently: the account will be erased, or has been.
    left_at: Mapped[datetime | None]
    # Whether the deletion of the account has been requested. `left_at` does not tell this, because
    # it stays empty if staff had deactivated the account before.
    waits_for_deletion: Mapped[bool] = mapped_column(default=False, server_default=false())
    is_email_verified: Mapped[bool] = mapped_column(default=False)
    # When the user logged in for the first time; None if the user never has.
    first_login_at: Mapped[datetime | None]
    # Whether the member of staff was invited. Other staff are deleted if their email address stays
    # unverified (decisions D16).
    is_invited: Mapped[bool] = mapped_column(default=False)
    verification: Mapped[Verification] = mapped_column(String(20), default="not_submitted")
    # The permissions that a member of staff has in addition to the rank.
    permissions: Mapped[list[str]] = mapped_column(ARRAY(String(100)), default=list)
    # The language of emails to the user. None stands for the setting `competition.language`.
    language: Mapped[Language | None] = mapped_column(String(2))
    # Keys of uploaded files.
    face_id: Mapped[str | None] = mapped_column(ForeignKey(File.key))
    id_card: Mapped[str | None] = mapped_column(ForeignKey(File.key))
    verification_document: Mapped[str | None] = mapped_column(ForeignKey(File.key))
    profile_picture: Mapped[str | None] = mapped_column(ForeignKey(File.key))
    date_joined: Mapped[datetime]
    updated_at: Mapped[datetime]
    # The database computes the value, so it does not reflect changes since the last flush.
    status: Mapped[ProfileStatus] = mapped_column(String(20), Computed(STATUS, persisted=True))
    # The text in which searches look for people: name, email address and school. It is long, and
    # only conditions of statements use it, so it is not loaded.
    search_text: Mapped[str] = mapped_column(
        SearchKey(),
        Computed(
            "search_key(first_name || ' ' || last_name || ' ' || email || ' '"
            " || coalesce(school, ''))",
            persisted=True,
        ),
        deferred=True,
    )

    # Each INSERT and UPDATE also returns the computed columns.
    __mapper_args__ = {"polymorphic_on": "kind", "eager_defaults": True}
    __table_args__ = (
        one_of("kind", Kind),
        CheckConstraint("email = lower(email)", name="email_is_lower_case"),
        one_of("verification", Verification),
        one_of("language", Language),
        CheckConstraint(
            "(kind = 'candidate') = (school is not null and number is not null)",
            name="candidate_has_school_and_number",
        ),
        CheckConstraint("(kind = 'staff') = (occupation is not null)", name="staff_has_occupation"),
        CheckConstraint(f"year between {YEARS[0]} and {YEARS[1]}", name="year"),
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
        # To count all accounts of a kind, for lists. Its size is a fortieth of the table's.
        Index("ix_user_kind", "kind"),
        # For lists of people, newest first, and their counts. It includes the columns of filters.
        Index(
            "ix_user_kind_date_joined_id",
            "kind",
            *NEWEST_FIRST,
            postgresql_include=["verification", "is_active", "is_email_verified"],
        ),
        Index("ix_user_kind_role_date_joined_id", "kind", "role", *NEWEST_FIRST),
        Index("ix_user_kind_status_date_joined_id", "kind", "status", *NEWEST_FIRST),
        Index(
            "ix_user_unverified",
            "kind",
            *NEWEST_FIRST,
            postgresql_where=text("verification <> 'approved'"),
        ),
        Index("ix_user_date_joined_id", *NEWEST_FIRST, postgresql_include=["is_active"]),
        # For lists in the order of names, so that a page does not read all people.
        Index("ix_user_last_name_first_name_id", "last_name", "first_name", "id"),
        # To find other accounts of the same person.
        Index("ix_user_phone_id", "phone", "id", postgresql_where=text("phone <> ''")),
        Index(
            "ix_user_name_school_id",
            text("search_key(first_name)"),
            text("search_key(last_name)"),
            text("school_key"),
            "id",
            postgresql_where=IS_CANDIDATE,
        ),
        # To find the candidates of a school.
        Index("ix_user_counted_school_key", COUNTED_KEY, postgresql_where=IS_CANDIDATE),
        # To find the candidates who have changed to a school that does not count yet.
        Index(
            "ix_user_school_key",
            text("school_key"),
            postgresql_where=text("approved_school_key is not null"),
        ),
        Index(
            "uq_user_external_id",
            COUNTED_KEY,
            text("external_id_key"),
            unique=True,
            postgresql_where=HAS_NUMBER,
        ),
        # To find a candidate by the number alone.
        Index("ix_user_external_id", text("external_id_key"), postgresql_where=HAS_NUMBER),
        # Without these indexes, deleting a file would scan all accounts.
        *(
            Index(f"ix_user_{name}", name, postgresql_where=text(f"{name} is not null"))
            for name in FILES
        ),
    )

    @property
    def full_name(self) -> str:
        return f"{self.first_name} {self.last_name}"

    @hybrid_property
    def has_email(self) -> bool:
        """Whether the account has an email address, and not only a login."""
        return not self.email.endswith(f"@{SLIP_DOMAIN}")

    @has_email.inplace.expression
    @classmethod
    def _has_email(cls) -> ColumnElement[bool]:
        return cls.email.not_like(f"%@{SLIP_DOMAIN}")

    @hybrid_property
    def is_user_verified(self) -> bool:
        """Whether the user's identity is approved, because of the documents or because staff
        vouched for it."""
        return self.verification == "approved"

    @hybrid_property
    def is_verified(self) -> bool:
        """Whether the user has a verified email address and an approved identity (spec
        "Authentication" 11)."""
        return self.is_email_verified and self.is_user_verified

    @is_verified.inplace.expression
    @classmethod
    def _is_verified(cls) -> ColumnElement[bool]:
        return and_(cls.is_email_verified, cls.is_user_verified)


class Candidate(User):
    # Queries for User load the columns of this class, too, instead of querying them for each row.
    __mapper_args__ = {"polymorphic_identity": "candidate", "polymorphic_load": "inline"}

    # The candidate's integer id on leaderboards (decisions A1), from the sequence candidate_number.
    number: Mapped[int] = mapped_column(nullable=True, unique=True)
    school: Mapped[str] = mapped_column(String(200), nullable=True)
    # The school that staff approved, if the candidate has changed `school` since then.
    approved_school: Mapped[str | None] = mapped_column(String(200))
    # When `counted_school` last changed; None if it has not changed since the registration.
    school_since: Mapped[datetime | None]
    # The school year; None if it is unknown.
    year: Mapped[int | None]
    # The class or form within the school; "" if it is unknown. The column has a default of the
    # database, because staff have no group.
    group: Mapped[str] = mapped_column(String(50), default="", server_default="")
    # The number by which the school knows the candidate, unique within `counted_school`.
    external_id: Mapped[str | None] = mapped_column(String(50))
    # The season that the candidate joined last. A new candidate joins the current season. This is
    # no foreign key, so that a registration never waits for the opening of a season, and does not
    # fail if the opening is undone. The id of a season that was undone is larger than the id of the
    # season that is current again, so use `>=` to find the candidates of the current season.
    season_id: Mapped[int | None] = mapped_column(default=CURRENT_ID)
    # When the candidate joined the season `season_id`; None if they joined it by registering.
    season_joined_at: Mapped[datetime | None]
    # The keys by which statements compare `school`, `approved_school` and `external_id`. They are
    # not loaded.
    school_key: Mapped[str | None] = mapped_column(deferred=True)
    approved_school_key: Mapped[str | None] = mapped_column(deferred=True)
    external_id_key: Mapped[str | None] = mapped_column(deferred=True)

    @validates("school", "approved_school", "external_id")
    def _set_key(self, name: str, value: str | None) -> str | None:
        setattr(self, f"{name}_key", None if value is None else name_key(value))
        return value

    # The season that counts as joined last: `season_id`, or a later one that everybody has joined.
    season: Mapped[int] = column_property(func.greatest(season_id, EVERYBODY_JOINED))

    @hybrid_property
    def counted_school(self) -> str:
        """The school that counts for the rules. An approved candidate can't change it without
        staff."""
        return self.school if self.approved_school is None else self.approved_school

    @counted_school.inplace.expression
    @classmethod
    def _counted_school(cls) -> ColumnElement[str]:
        return func.coalesce(cls.approved_school, cls.school)

    @classmethod
    def counted_school_key(cls) -> ColumnElement[str]:
        """SQL expression for the key of `counted_school`. All rules compare schools by it."""
        return func.coalesce(cls.approved_school_key, cls.school_key)

    @classmethod
    def has_counted_school(cls, key: Any) -> ColumnElement[bool]:
        """SQL condition: whether the key of `counted_school` equals `key`, which may be `any_` of a
        list.

        It repeats the condition of the partial index on these keys. Otherwise PostgreSQL would not
        use the index.
        """
        return and_(cls.school.is_not(None), cls.counted_school_key() == key)

    @hybrid_property
    def is_ranked(self) -> bool:
        """Whether the candidate's results count in rankings.

        The results of active candidates count. So do the results of candidates who left on their
        own, because leaving must not change the ranks of others. The results of deactivated
        candidates don't count.
        """
        return self.is_active or self.left_at is not None

    @is_ranked.inplace.expression
    @classmethod
    def _is_ranked(cls) -> ColumnElement[bool]:
        return or_(cls.is_active, cls.left_at.is_not(None))


class Staff(User):
    __mapper_args__ = {"polymorphic_identity": "staff", "polymorphic_load": "inline"}

    occupation: Mapped[str] = mapped_column(String(150), nullable=True)


USERS = User.metadata.tables["user"]
# SQL expression for `Candidate.season`.
JOINED_SEASON = func.greatest(USERS.c.season_id, EVERYBODY_JOINED).label("season")
# Columns that only conditions of statements use.
UNREAD = ("search_text", "school_key", "approved_school_key", "external_id_key")
# The columns of an account that is read as a row instead of an object, with the properties of User
# that a row needs. Every request reads an account, and SQLAlchemy makes a row in half the time.
ACCOUNT = (
    *(column for column in USERS.c if column.name not in UNREAD),
    (USERS.c.first_name + " " + USERS.c.last_name).label("full_name"),
    USERS.c.email.not_like(f"%@{SLIP_DOMAIN}").label("has_email"),
    (USERS.c.verification == "approved").label("is_user_verified"),
    and_(USERS.c.is_email_verified, USERS.c.verification == "approved").label("is_verified"),
    JOINED_SEASON,
)
