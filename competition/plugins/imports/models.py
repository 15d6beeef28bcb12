"""The tables of imports and of their rows."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import ForeignKey, Identity, Index, String, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.choices import one_of
from competition.core.database import Base
from competition.core.imports import State

Status = Literal["checking", "checked", "applying", "applied", "failed", "cancelled"]


class Import(Base):
    """A file that a member of staff has uploaded, with the status and results of its import."""

    __tablename__ = "import"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    # The name of a kind of imports. The plugin that declares this kind may be disabled by now.
    kind: Mapped[str] = mapped_column(String(100))
    format: Mapped[str] = mapped_column(String(20))
    filename: Mapped[str] = mapped_column(String(255))
    # No foreign key, because this plugin does not require the plugin `exams`.
    exam_id: Mapped[int | None]
    # The id of the object that the import belongs to, such as a school, if its kind has a scope.
    scope: Mapped[int | None]
    status: Mapped[Status] = mapped_column(String(10), default="checking")
    # The uploaded file, until it is checked.
    file: Mapped[str | None] = mapped_column(ForeignKey("file.key"), index=True)
    # How many lines are checked, and how many the file has.
    done: Mapped[int] = mapped_column(default=0)
    total: Mapped[int] = mapped_column(default=0)
    # The number of all rows (`rows`), of rows by state, and of rows that were applied. For pupils,
    # also how many pupils of the school the file does not name (`missing`). For kinds that invite,
    # also how many new accounts have an email address (`invitations`).
    counts: Mapped[dict[str, int]] = mapped_column(JSONB, default=dict)
    # Both map headers to fields: `asked_columns` as the caller has chosen them, and `columns` as
    # they were recognised in the file.
    asked_columns: Mapped[dict[str, str | None]] = mapped_column(JSONB)
    columns: Mapped[dict[str, str]] = mapped_column(JSONB, default=dict)
    ignored_columns: Mapped[list[str]] = mapped_column(JSONB, default=list)
    # What the meaning of the rows depends on, such as the order of an exam's questions, as it was
    # at the check. The import can only be applied if it is still the same.
    basis: Mapped[Any | None] = mapped_column(JSONB(none_as_null=True))
    # The options with which the import was applied: whether new accounts are invited by email, and
    # whether invalid rows are left out.
    invite: Mapped[bool] = mapped_column(default=True)
    skips_invalid: Mapped[bool] = mapped_column(default=False)
    # Why the import failed. The message is stored with its values (`messages.packed`), so that
    # the API can translate it.
    detail: Mapped[Any | None] = mapped_column(JSONB(none_as_null=True))
    created_by_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("user.id", ondelete="SET NULL"), index=True
    )
    created_at: Mapped[datetime]
    applied_by_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("user.id", ondelete="SET NULL"), index=True
    )
    applied_at: Mapped[datetime | None]
    # When the file was checked, and when the import was applied, failed or was cancelled.
    checked_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]

    __table_args__ = (
        one_of("status", Status),
        Index("ix_import_created_at_id", "created_at", "id"),
    )


class ImportRow(Base):
    """A line of an import, and what applying it would do, or has done."""

    __tablename__ = "import_row"

    import_id: Mapped[int] = mapped_column(
        ForeignKey("import.id", ondelete="CASCADE"), primary_key=True
    )
    # The place of the line in the file, from 0.
    position: Mapped[int] = mapped_column(primary_key=True)
    line: Mapped[int]
    state: Mapped[State] = mapped_column(String(10))
    # The line as it was read: `cells`, `types`, `errors`, `warnings` and `alts` of a Line.
    source: Mapped[dict[str, Any]] = mapped_column(JSONB)
    values: Mapped[dict[str, Any]] = mapped_column(JSONB)
    before: Mapped[dict[str, Any]] = mapped_column(JSONB)
    # Messages, stored like `Import.detail`.
    errors: Mapped[dict[str, list[Any]]] = mapped_column(JSONB)
    warnings: Mapped[list[Any]] = mapped_column(JSONB)
    # The storage keys of the line's pictures, by the names under which the cells show them.
    files: Mapped[dict[str, str]] = mapped_column(JSONB)
    # The account that the row is about, if there is one already.
    user_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("user.id", ondelete="SET NULL"), index=True
    )

    __table_args__ = (
        one_of("state", State),
        Index("ix_import_row_state", "import_id", "state", "position"),
        # This index finds the rows about a person who had no account at the time of the check.
        Index("ix_import_row_email", text("(values ->> 'email')")),
    )
