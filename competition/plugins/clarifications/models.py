"""The tables of clarifications, announcements and the messages that tell candidates of them."""

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
from competition.core.users.models import Candidate, User

ClarificationStatus = Literal["open", "answered", "dismissed"]
# The decisions of staff about a clarification, and what staff tell everybody.
MessageKind = Literal["answer", "announcement"]


class Clarification(Base):
    """A question that a candidate asked during an exam, with the latest answer."""

    __tablename__ = "clarification"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    exam_id: Mapped[int]
    candidate_id: Mapped[UUID] = mapped_column(index=True)
    # The question of the paper that it is about, if any.
    question_id: Mapped[int | None]
    text: Mapped[str] = mapped_column(String(1000))
    status: Mapped[ClarificationStatus] = mapped_column(String(10), default="open")
    answer: Mapped[str | None] = mapped_column(String(2000))
    # Whether everybody who takes the exam may read the answer.
    public: Mapped[bool] = mapped_column(default=False)
    asked_at: Mapped[datetime]
    answered_at: Mapped[datetime | None]

    candidate: Mapped[Candidate] = relationship(
        primaryjoin="foreign(Clarification.candidate_id) == Candidate.id", lazy="raise"
    )

    __table_args__ = (
        ForeignKeyConstraint(
            ["exam_id", "candidate_id"], ["attempt.exam_id", "attempt.candidate_id"]
        ),
        one_of("status", ClarificationStatus),
        CheckConstraint("(status = 'open') = (answered_at is null)", name="answered_at"),
        CheckConstraint("(status = 'answered') = (answer is not null)", name="answer"),
        CheckConstraint("not public or status = 'answered'", name="public"),
        Index("ix_clarification_exam_id_asked_at", "exam_id", "asked_at"),
        Index(
            "ix_clarification_open", "asked_at", postgresql_where=literal_column("status = 'open'")
        ),
    )


class Announcement(Base):
    """What staff told everybody who takes an exam."""

    __tablename__ = "announcement"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id"))
    text: Mapped[str] = mapped_column(String(2000))
    created_by_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("user.id", ondelete="SET NULL"), index=True
    )
    created_at: Mapped[datetime]

    created_by: Mapped[User | None] = relationship(lazy="raise")

    __table_args__ = (Index("ix_announcement_exam_id_created_at", "exam_id", "created_at"),)


class ExamMessage(Base):
    """A message to the candidates of an exam: to one, or to all if `candidate_id` is null.

    It is about an announcement, or about an answer or a dismissal. Rows are never changed, so a
    candidate's number of messages only grows.
    """

    __tablename__ = "exam_message"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id"))
    candidate_id: Mapped[UUID | None] = mapped_column(ForeignKey("user.id"), index=True)
    clarification_id: Mapped[int | None] = mapped_column(ForeignKey("clarification.id"))
    announcement_id: Mapped[int | None] = mapped_column(ForeignKey("announcement.id"))
    created_at: Mapped[datetime]

    clarification: Mapped[Clarification | None] = relationship(lazy="raise")
    announcement: Mapped[Announcement | None] = relationship(lazy="raise")

    __table_args__ = (
        CheckConstraint("num_nonnulls(clarification_id, announcement_id) = 1", name="about"),
        Index("ix_exam_message_exam_id_candidate_id", "exam_id", "candidate_id"),
        Index(None, "clarification_id"),
        Index(None, "announcement_id"),
    )
