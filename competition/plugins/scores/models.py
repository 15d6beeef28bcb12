"""Scores, corrected keys and ranks: their tables."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Identity, Index, Numeric, String, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from competition.core.database import Base
from competition.core.users.models import Candidate, Staff
from competition.plugins.exams.models import Exam

# The score of a paper without a mistake.
HIGHEST_OBTAINABLE = 100.0


class Score(Base):
    """What a candidate got in an exam: percent, two decimals. Automatic scoring never touches a row
    that is there."""

    __tablename__ = "score"

    # What clients know it by.
    id: Mapped[int] = mapped_column(Identity(), unique=True)
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id"), primary_key=True)
    candidate_id: Mapped[UUID] = mapped_column(ForeignKey("user.id"), primary_key=True, index=True)
    value: Mapped[Decimal] = mapped_column(Numeric(5, 2))
    is_auto: Mapped[bool]
    recorded_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    recorded_at: Mapped[datetime]

    exam: Mapped[Exam] = relationship(lazy="raise")
    candidate: Mapped[Candidate] = relationship(foreign_keys=candidate_id, lazy="raise")
    # Who gave it by hand.
    recorded_by: Mapped[Staff | None] = relationship(foreign_keys=recorded_by_id, lazy="raise")

    __table_args__ = (
        CheckConstraint("value between 0 and 100", name="value"),
        Index(
            "ix_score_recorded_by_id",
            "recorded_by_id",
            postgresql_where=text("recorded_by_id is not null"),
        ),
        # A regrade writes all scores of an exam anew, and its preview does: each finds room on its
        # page, and no index has to hear of it.
        {"postgresql_with": {"fillfactor": 50}},
    )


class Correction(Base):
    """What counts as right in a question of a sealed exam, in the place of the frozen key.

    `accepted` are the characters of a submission that do: one or more options, with that of an
    unanswered question where everybody gets the credit; none when the question leaves the total.
    """

    __tablename__ = "correction"

    exam_id: Mapped[int] = mapped_column(ForeignKey("paper.exam_id"), primary_key=True)
    question_id: Mapped[int] = mapped_column(primary_key=True)
    accepted: Mapped[str] = mapped_column(String(5))

    __table_args__ = (CheckConstraint("accepted ~ '^(A?B?C?D?|ABCD-)$'", name="accepted"),)


class Standing(Base):
    """One step of a stage's ranking: a total that at least one candidate has, and the rank of the
    next lower total (decisions G30). One row a total, not a candidate. `audience` is who may see
    the scores that were summed up."""

    __tablename__ = "standing"

    audience: Mapped[str] = mapped_column(String(20), primary_key=True)
    stage: Mapped[str] = mapped_column(String(20), primary_key=True)
    total: Mapped[Decimal] = mapped_column(Numeric, primary_key=True)
    next_rank: Mapped[int]
