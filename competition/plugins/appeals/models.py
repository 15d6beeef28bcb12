from datetime import datetime
from typing import Literal
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    Identity,
    Index,
    String,
    func,
    literal_column,
    select,
)
from sqlalchemy.orm import Mapped, column_property, mapped_column, relationship

from competition.core.choices import one_of
from competition.core.database import Base
from competition.core.users.models import Candidate
from competition.plugins.exams.models import Exam, Paper

# The decisions of staff about an appeal.
Ruling = Literal["accepted", "rejected"]
AppealStatus = Literal["open", Ruling]


class Appeal(Base):
    """A candidate's objection to a question of an exam. Without a question, it is about the whole
    result."""

    __tablename__ = "appeal"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id"))
    candidate_id: Mapped[UUID] = mapped_column(ForeignKey("user.id"), index=True)
    question_id: Mapped[int | None] = mapped_column()
    text: Mapped[str] = mapped_column(String(2000))
    status: Mapped[AppealStatus] = mapped_column(String(10), default="open")
    answer: Mapped[str | None] = mapped_column(String(2000))
    regrade_id: Mapped[int | None] = mapped_column(ForeignKey("regrade.id"), index=True)
    created_at: Mapped[datetime]
    answered_at: Mapped[datetime | None]

    candidate: Mapped[Candidate] = relationship(lazy="raise")
    exam: Mapped[Exam] = relationship(lazy="raise")

    # The place of the question in the paper, from 1. None without a question.
    question_number: Mapped[int | None] = column_property(
        select(func.array_position(Paper.question_ids, question_id))
        .where(Paper.exam_id == exam_id)
        .scalar_subquery()
    )

    __table_args__ = (
        one_of("status", AppealStatus),
        CheckConstraint("(status = 'open') = (answered_at is null)", name="answered_at"),
        # A candidate has at most one open appeal per question, and one about the whole result.
        Index(
            "ix_appeal_open",
            "exam_id",
            "candidate_id",
            "question_id",
            unique=True,
            postgresql_where=literal_column("status = 'open'"),
            postgresql_nulls_not_distinct=True,
        ),
        Index("ix_appeal_exam_id_created_at", "exam_id", "created_at"),
    )
