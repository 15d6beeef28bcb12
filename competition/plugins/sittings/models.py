"""The tables of attempts, extra time and submissions, and the clock of an attempt.

Foreign keys guarantee that every attempt has a frozen paper, and every submission an attempt. They
refer to the paper rather than to the exam, so thousands of submissions don't lock the exam's row.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    ColumnElement,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    Row,
    String,
    and_,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.choices import one_of
from competition.core.database import Base
from competition.plugins.exams.models import Exam

# The character for an unanswered question in packed answers.
UNANSWERED = "-"
# The value says who has submitted: the candidate, the service when the time was over, or staff who
# have imported answers from paper.
HandedInBy = Literal["candidate", "service", "staff"]
# The largest percentage by which a candidate's countdown can be longer.
LARGEST_PERCENT = 300


class Attempt(Base):
    """A candidate's attempt at an exam. Its clock runs from `started_at`."""

    __tablename__ = "attempt"

    exam_id: Mapped[int] = mapped_column(ForeignKey("paper.exam_id"), primary_key=True)
    candidate_id: Mapped[UUID] = mapped_column(ForeignKey("user.id"), primary_key=True, index=True)
    started_at: Mapped[datetime]
    # The percentage by which this attempt's countdown is longer: a copy of the candidate's
    # ExtraPercent at the start.
    extra_percent: Mapped[int] = mapped_column(default=0)
    # False if the candidate submitted without opening the paper. The working time is then unknown.
    is_opened: Mapped[bool] = mapped_column(default=True)
    # The submissions that staff have taken back, so that a late repeat of their requests does not
    # submit again: `Submission.key_hash`, and the SHA-256 of the packed answers.
    withdrawn: Mapped[dict[str, str]] = mapped_column(JSONB, server_default="{}")

    __table_args__ = (
        CheckConstraint(f"extra_percent between 0 and {LARGEST_PERCENT}", name="extra_percent"),
    )


class ExtraPercent(Base):
    """The percentage by which a candidate's countdown is longer, in every exam that they start from
    now on. This plugin only reads the rows; other plugins insert them."""

    __tablename__ = "extra_percent"

    candidate_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    percent: Mapped[int]

    __table_args__ = (CheckConstraint(f"percent between 0 and {LARGEST_PERCENT}", name="percent"),)


class ExtraTime(Base):
    """Extra time of one attempt. If an attempt has several rows, they add up.

    This plugin only reads the rows; other plugins insert them, call `reopening.reopen`, and say in
    tables of their own what each row is for.
    """

    __tablename__ = "extra_time"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    exam_id: Mapped[int]
    candidate_id: Mapped[UUID]
    seconds: Mapped[int]
    # The lost interval that this row gives back, if any. No part of it may be given back twice.
    lost_from: Mapped[datetime | None]
    lost_until: Mapped[datetime | None]
    created_at: Mapped[datetime]

    __table_args__ = (
        ForeignKeyConstraint(
            ["exam_id", "candidate_id"], ["attempt.exam_id", "attempt.candidate_id"]
        ),
        # Extra time is only added, never taken back.
        CheckConstraint("seconds > 0", name="seconds"),
        CheckConstraint("lost_from < lost_until", name="lost"),
        CheckConstraint("(lost_from is null) = (lost_until is null)", name="lost_both"),
        Index("ix_extra_time_exam_id_candidate_id", "exam_id", "candidate_id"),
    )


class Submission(Base):
    """The submitted answers of one candidate, packed: one character per question, in the order of
    the paper. For an automatic submission, `submitted_at` is the deadline."""

    __tablename__ = "submission"

    exam_id: Mapped[int] = mapped_column(primary_key=True)
    candidate_id: Mapped[UUID] = mapped_column(primary_key=True, index=True)
    answers: Mapped[str]
    submitted_at: Mapped[datetime]
    handed_in_by: Mapped[HandedInBy] = mapped_column(String(20), default="candidate")
    # SHA-256 of the request's Idempotency-Key, if it had one.
    key_hash: Mapped[str | None] = mapped_column(String(64))

    __table_args__ = (
        ForeignKeyConstraint(
            ["exam_id", "candidate_id"], ["attempt.exam_id", "attempt.candidate_id"]
        ),
        one_of("handed_in_by", HandedInBy),
    )


def is_same_attempt(one: Any, other: Any) -> ColumnElement[bool]:
    """SQL condition: whether two rows, such as a submission and an attempt, are about the same exam
    and the same candidate."""
    return and_(one.exam_id == other.exam_id, one.candidate_id == other.candidate_id)


# The tables, for statements that thousands of candidates cause in the same minute: SQLAlchemy reads
# and inserts rows of a table faster than objects.
ATTEMPTS = Attempt.metadata.tables["attempt"]
EXTRA_TIMES = ExtraTime.metadata.tables["extra_time"]
SUBMISSIONS = Submission.metadata.tables["submission"]


@dataclass(frozen=True)
class AttemptTime:
    """When an attempt started, and when it ends. Answers are accepted until `hand_in_until`: the
    deadline plus the grace period."""

    started_at: datetime
    deadline: datetime
    hand_in_until: datetime


@dataclass(frozen=True)
class Clock:
    """A candidate's clock in an exam at the time `now`.

    `extra` is the extra time that the deadline already includes. `attempt` is None before the
    start.
    """

    exam: Exam | Row[Any]
    now: datetime
    extra: timedelta
    is_submitted: bool
    attempt: AttemptTime | None
