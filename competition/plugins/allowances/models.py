"""Allowances as they were given, and the changes of clocks that sockets are told of."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Identity, Index, String
from sqlalchemy.orm import Mapped, mapped_column, relationship

from competition.core.database import Base
from competition.core.users.models import Staff


class Allowance(Base):
    """More time in an exam: for a candidate, for a school, or, with neither, for everybody.

    Either so many minutes, for who starts later too; or what an interval, such as an outage, took
    from each attempt that was running in it.
    """

    __tablename__ = "allowance"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id", ondelete="CASCADE"))
    candidate_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), index=True
    )
    school: Mapped[str | None] = mapped_column(String(200))
    extra_minutes: Mapped[int | None]
    lost_from: Mapped[datetime | None]
    lost_until: Mapped[datetime | None]
    reason: Mapped[str] = mapped_column(String(500))
    # How many attempts it was for that were running when it was given.
    affected: Mapped[int]
    created_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    created_at: Mapped[datetime]

    created_by: Mapped[Staff | None] = relationship(foreign_keys=created_by_id, lazy="raise")

    __table_args__ = (
        CheckConstraint("num_nonnulls(candidate_id, school) < 2", name="for_whom"),
        CheckConstraint("extra_minutes > 0", name="extra_minutes"),
        CheckConstraint("lost_from < lost_until", name="lost"),
        CheckConstraint(
            "num_nonnulls(lost_from, lost_until) = case when extra_minutes is null then 2 else 0"
            " end",
            name="how_much",
        ),
        Index("ix_allowance_exam_id_id", "exam_id", "id"),
    )


class CandidateAllowance(Base):
    """Who gave a candidate the percent that `sittings.ExtraPercent` has, when and why."""

    __tablename__ = "candidate_allowance"

    candidate_id: Mapped[UUID] = mapped_column(
        ForeignKey("extra_percent.candidate_id", ondelete="CASCADE"), primary_key=True
    )
    reason: Mapped[str] = mapped_column(String(500))
    updated_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    updated_at: Mapped[datetime]

    updated_by: Mapped[Staff | None] = relationship(foreign_keys=updated_by_id, lazy="raise")


class ClockChange(Base):
    """Deadlines of an exam have moved: of those whom an allowance gave time, or of all. Ids grow in
    the order of commits (`competition.core.push.feeds.lock_feed`)."""

    __tablename__ = "clock_change"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id", ondelete="CASCADE"), index=True)
    allowance_id: Mapped[int | None] = mapped_column(
        ForeignKey("allowance.id", ondelete="CASCADE"), index=True
    )
    created_at: Mapped[datetime] = mapped_column(index=True)
