"""Tables of regrades, and of the candidates whose score or rank each of them changes."""

from datetime import datetime
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    CheckConstraint,
    ForeignKey,
    Identity,
    Numeric,
    String,
    UniqueConstraint,
    Uuid,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, foreign, mapped_column, relationship

from competition.core.choices import one_of
from competition.core.database import Base
from competition.core.messages import Message
from competition.core.users.models import Candidate, Staff

Status = Literal["preview", "applied", "reverted"]

UNKNOWN = Message("There is no regrade with this id. Check the id.")


class Regrade(Base):
    """Changes of an exam's answer key, with the effect that the preview computed."""

    __tablename__ = "regrade"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id"))
    status: Mapped[Status] = mapped_column(String(10), default="preview")
    # The changes as the client sent them.
    changes: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    reason: Mapped[str] = mapped_column(String(500))
    # A hash of everything that the preview depends on; see `services.applying.Moment`.
    made_of: Mapped[str] = mapped_column(String(64))
    scores_changed: Mapped[int]
    up: Mapped[int]
    down: Mapped[int]
    ranks_changed: Mapped[int]
    average_before: Mapped[Decimal] = mapped_column(Numeric(5, 2))
    average_after: Mapped[Decimal] = mapped_column(Numeric(5, 2))
    # The candidates whom other plugins choose, such as for the next stage: `gets_in` only by the
    # new scores, `falls_out` only by the old scores.
    gets_in: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid))
    falls_out: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid))
    created_by_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("user.id", ondelete="SET NULL"), index=True
    )
    created_at: Mapped[datetime]
    applied_by_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("user.id", ondelete="SET NULL"), index=True
    )
    applied_at: Mapped[datetime | None]
    # 1, 2, 3, …: the order in which the regrades of the exam were applied.
    application: Mapped[int | None]

    created_by: Mapped[Staff | None] = relationship(foreign_keys=created_by_id, lazy="raise")
    applied_by: Mapped[Staff | None] = relationship(foreign_keys=applied_by_id, lazy="raise")

    __table_args__ = (
        one_of("status", Status),
        CheckConstraint("(status = 'preview') = (application is null)", name="application"),
        # The index begins with `exam_id`, so that it also finds the regrades of an exam.
        UniqueConstraint("exam_id", "application"),
    )


class Difference(Base):
    """A candidate whose score or rank changes because of a regrade of the exam.

    `position` is 1, 2, 3, …, the largest change first. A deactivated candidate has no rank.

    There are no foreign keys: checking them for a hundred thousand rows would take three times as
    long as writing the rows. They are not needed: deleting a preview deletes its rows in this
    table, and the candidate's score has a foreign key to the candidate.
    """

    __tablename__ = "regrade_difference"

    regrade_id: Mapped[int] = mapped_column(primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    candidate_id: Mapped[UUID] = mapped_column(index=True)
    score_before: Mapped[Decimal] = mapped_column(Numeric(5, 2))
    score_after: Mapped[Decimal] = mapped_column(Numeric(5, 2))
    rank_before: Mapped[int | None]
    rank_after: Mapped[int | None]

    candidate: Mapped[Candidate] = relationship(
        primaryjoin=Candidate.id == foreign(candidate_id), lazy="raise", viewonly=True
    )
