"""The tables of clarifications, and of the messages that notify candidates of them.

Ids of messages grow in the order of commits (`competition.core.push.feeds.lock_feed`).
"""

from datetime import datetime
from typing import Literal
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    String,
    literal_column,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from competition.core.choices import one_of
from competition.core.database import Base
from competition.core.users.models import Candidate

ClarificationStatus = Literal["open", "answered", "dismissed"]


class Clarification(Base):
    """A question that a candidate has asked during an exam, and the answer of staff.

    `question_id` is the question of the paper that the candidate asks about; None if they ask about
    the whole exam. If `is_public`, other candidates see the answer, but never the text.
    """

    __tablename__ = "clarification"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    exam_id: Mapped[int]
    candidate_id: Mapped[UUID] = mapped_column(ForeignKey("user.id"), index=True)
    question_id: Mapped[int | None]
    text: Mapped[str] = mapped_column(String(1000))
    status: Mapped[ClarificationStatus] = mapped_column(String(10), default="open")
    answer: Mapped[str | None] = mapped_column(String(2000))
    is_public: Mapped[bool] = mapped_column(default=False)
    asked_at: Mapped[datetime]
    answered_at: Mapped[datetime | None]

    candidate: Mapped[Candidate] = relationship(lazy="raise", viewonly=True)

    __table_args__ = (
        ForeignKeyConstraint(
            ["exam_id", "candidate_id"], ["attempt.exam_id", "attempt.candidate_id"]
        ),
        one_of("status", ClarificationStatus),
        CheckConstraint("(status = 'open') = (answered_at is null)", name="answered_at"),
        CheckConstraint("status = 'answered' or answer is null", name="answer"),
        CheckConstraint("answer is not null or not is_public", name="public"),
        Index("ix_clarification_exam_id_candidate_id", "exam_id", "candidate_id"),
        # The list of all open questions, and counting those of an exam, use this index.
        Index(
            "ix_clarification_open", "exam_id", postgresql_where=literal_column("status = 'open'")
        ),
    )


class Announcement(Base):
    """A message from staff to all candidates of an exam."""

    __tablename__ = "announcement"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id"))
    text: Mapped[str] = mapped_column(String(2000))
    created_at: Mapped[datetime]

    __table_args__ = (Index("ix_announcement_exam_id_id", "exam_id", "id"),)


class ExamMessage(Base):
    """A message to candidates of an exam: an announcement was made, or a question was answered or
    dismissed. Without `candidate_id`, it concerns all candidates who start the exam."""

    __tablename__ = "exam_message"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id"))
    candidate_id: Mapped[UUID | None] = mapped_column(ForeignKey("user.id"), index=True)
    clarification_id: Mapped[int | None] = mapped_column(
        ForeignKey("clarification.id", ondelete="CASCADE"), index=True
    )
    announcement_id: Mapped[int | None] = mapped_column(ForeignKey("announcement.id"), index=True)
    created_at: Mapped[datetime] = mapped_column(index=True)

    clarification: Mapped[Clarification | None] = relationship(lazy="raise", viewonly=True)
    announcement: Mapped[Announcement | None] = relationship(lazy="raise", viewonly=True)

    __table_args__ = (
        CheckConstraint("num_nonnulls(clarification_id, announcement_id) = 1", name="about"),
        # Counting the messages that concern a candidate uses this index.
        Index("ix_exam_message_exam_id_candidate_id", "exam_id", "candidate_id"),
    )


class NotifiedCandidate(Base):
    """A candidate who could not submit any longer when a message was stored. They get a
    notification instead of the pushed message. The row is only needed until the message has been
    pushed."""

    __tablename__ = "notified_candidate"

    message_id: Mapped[int] = mapped_column(
        ForeignKey("exam_message.id", ondelete="CASCADE"), primary_key=True
    )
    candidate_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True, index=True
    )
