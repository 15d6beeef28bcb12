"""The tables of allowances, and of the clock changes that are pushed to connected clients."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    String,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from competition.core.database import Base
from competition.core.users.models import Candidate, Staff


class Allowance(Base):
    """Extra time in an exam for a candidate or a school. If neither is set, it is for all
    candidates.

    The time is either `extra_minutes`, which candidates who start later get too, or an interval,
    such as a power cut. Each attempt gets back the part of the interval that it lost.
    """

    __tablename__ = "allowance"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id", ondelete="CASCADE"))
    candidate_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), index=True
    )
    school: Mapped[str | None] = mapped_column(String(200))
    # The key by which the school is compared with the schools of candidates.
    school_key: Mapped[str | None]
    extra_minutes: Mapped[int | None]
    lost_from: Mapped[datetime | None]
    lost_until: Mapped[datetime | None]
    reason: Mapped[str] = mapped_column(String(500))
    # How many running attempts got time when the allowance was given.
    affected: Mapped[int]
    created_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    created_at: Mapped[datetime]

    candidate: Mapped[Candidate | None] = relationship(foreign_keys=candidate_id, lazy="raise")
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


class GivenTime(Base):
    """The extra time that an attempt got from an allowance."""

    __tablename__ = "given_time"

    extra_time_id: Mapped[int] = mapped_column(ForeignKey("extra_time.id"), primary_key=True)
    allowance_id: Mapped[int] = mapped_column(ForeignKey("allowance.id"))
    exam_id: Mapped[int]
    candidate_id: Mapped[UUID] = mapped_column(index=True)

    __table_args__ = (
        ForeignKeyConstraint(
            ["exam_id", "candidate_id"], ["attempt.exam_id", "attempt.candidate_id"]
        ),
        # An attempt gets time from an allowance at most once.
        UniqueConstraint("allowance_id", "exam_id", "candidate_id"),
    )


class CandidateAllowance(Base):
    """A row says who set a candidate's percentage of extra time, when and why. The percentage is in
    `sittings.ExtraPercent`."""

    __tablename__ = "candidate_allowance"

    candidate_id: Mapped[UUID] = mapped_column(
        ForeignKey("extra_percent.candidate_id", ondelete="CASCADE"), primary_key=True
    )
    reason: Mapped[str] = mapped_column(String(500))
    updated_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    updated_at: Mapped[datetime]

    updated_by: Mapped[Staff | None] = relationship(foreign_keys=updated_by_id, lazy="raise")


class ClockChange(Base):
    """A change of deadlines in an exam, to be pushed to the candidates.

    With `allowance_id`, the change concerns only the candidates who got time from that allowance,
    and with `candidate_id` only this candidate. Otherwise it concerns all candidates of the exam.
    Ids grow in the order of commits (`competition.core.push.feeds.lock_feed`).
    """

    __tablename__ = "clock_change"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id", ondelete="CASCADE"), index=True)
    allowance_id: Mapped[int | None] = mapped_column(
        ForeignKey("allowance.id", ondelete="CASCADE"), index=True
    )
    candidate_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), index=True
    )
    created_at: Mapped[datetime] = mapped_column(index=True)


@dataclass(frozen=True)
class Percent:
    """The percentage of extra time that a candidate gets in every exam. If it was never set, it is
    0, and the other fields are None."""

    percent: int = 0
    reason: str | None = None
    updated_by: Staff | None = None
    updated_at: datetime | None = None
