"""Attempt, extra time and submission: from opening the paper to handing in; and the clock.

The foreign keys say what comes after what: there is no attempt without a frozen paper, and no
submission without an attempt. An exam's row is thereby left alone while thousands submit.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    String,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.choices import one_of
from competition.core.database import Base
from competition.plugins.exams.models import Exam

# Stands for no answer in a packed row of answers.
UNANSWERED = "-"
# Who handed in: the candidate, or the service when the time was over.
HandedInBy = Literal["candidate", "service"]


class Attempt(Base):
    """A candidate has opened the paper: the clock runs from `started_at`."""

    __tablename__ = "attempt"

    exam_id: Mapped[int] = mapped_column(ForeignKey("paper.exam_id"), primary_key=True)
    candidate_id: Mapped[UUID] = mapped_column(ForeignKey("user.id"), primary_key=True, index=True)
    started_at: Mapped[datetime]
    # What the candidate had at the start, of ExtraPercent: by so much the countdown is longer.
    extra_percent: Mapped[int] = mapped_column(server_default="0")
    # False if the attempt began with its submission: nobody knows how long the candidate worked.
    is_opened: Mapped[bool] = mapped_column(server_default="true")

    __table_args__ = (CheckConstraint("extra_percent between 0 and 300", name="extra_percent"),)


class ExtraPercent(Base):
    """By how much longer than everybody's a candidate's countdown is, in percent of it, in every
    exam that is started from now on. Nothing in this plugin gives any."""

    __tablename__ = "extra_percent"

    candidate_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    percent: Mapped[int]

    __table_args__ = (CheckConstraint("percent between 0 and 300", name="percent"),)


class ExtraTime(Base):
    """Time that an attempt has beyond what the exam promises everybody. Several rows add up.

    Nothing in this plugin gives any: the clock counts what others insert. `source` is for them: an
    attempt gets time from a source once, whoever tries again.
    """

    __tablename__ = "extra_time"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    exam_id: Mapped[int]
    candidate_id: Mapped[UUID]
    seconds: Mapped[int]
    source: Mapped[str | None] = mapped_column(String(100))
    # The interval that this row gives back, if it does: no part of it is given back twice.
    lost_from: Mapped[datetime | None]
    lost_until: Mapped[datetime | None]
    created_at: Mapped[datetime]

    __table_args__ = (
        ForeignKeyConstraint(
            ["exam_id", "candidate_id"], ["attempt.exam_id", "attempt.candidate_id"]
        ),
        # Time that was given is never taken back.
        CheckConstraint("seconds > 0", name="seconds"),
        CheckConstraint("lost_from < lost_until", name="lost"),
        CheckConstraint("(lost_from is null) = (lost_until is null)", name="lost_both"),
        UniqueConstraint("exam_id", "candidate_id", "source"),
        Index("ix_extra_time_source", "source", postgresql_where=text("source is not null")),
    )


class Submission(Base):
    """The answers of one candidate: one row with a character for each question, in the paper's
    order. What the service has handed in was submitted at the deadline."""

    __tablename__ = "submission"

    exam_id: Mapped[int] = mapped_column(primary_key=True)
    candidate_id: Mapped[UUID] = mapped_column(primary_key=True, index=True)
    answers: Mapped[str]
    submitted_at: Mapped[datetime]
    handed_in_by: Mapped[HandedInBy] = mapped_column(String(20), server_default="candidate")
    # SHA-256 of the Idempotency-Key that it came with.
    key_hash: Mapped[str | None] = mapped_column(String(64))

    __table_args__ = (
        ForeignKeyConstraint(
            ["exam_id", "candidate_id"], ["attempt.exam_id", "attempt.candidate_id"]
        ),
        one_of("handed_in_by", HandedInBy),
    )


@dataclass(frozen=True)
class AttemptTime:
    """When an attempt began, and until when it runs. Answers are taken until `hand_in_until`, the
    end of the grace period after the deadline."""

    started_at: datetime
    deadline: datetime
    hand_in_until: datetime


@dataclass(frozen=True)
class Clock:
    """The time of an exam as a candidate has it at `now`; `attempt` is None before the start.
    `extra` is what the candidate has beyond everybody's time."""

    exam: Exam
    now: datetime
    extra: timedelta
    is_submitted: bool
    attempt: AttemptTime | None
