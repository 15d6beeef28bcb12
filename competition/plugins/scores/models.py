"""Tables of scores, corrected answer keys and live ranks."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Identity, Index, Numeric, String, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from competition.core.database import Base
from competition.core.users.models import Candidate, Staff
from competition.plugins.exams.models import Exam

# The score for answering every question right, in percent.
HIGHEST_OBTAINABLE = 100.0


class Score(Base):
    """A candidate's score in an exam, in percent with two decimals.

    Automatic scoring never changes an existing row. Only staff and corrections of the answer key
    change it.
    """

    __tablename__ = "score"

    # The id that replies show.
    id: Mapped[int] = mapped_column(Identity(), unique=True)
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id"), primary_key=True)
    candidate_id: Mapped[UUID] = mapped_column(ForeignKey("user.id"), primary_key=True, index=True)
    value: Mapped[Decimal] = mapped_column(Numeric(5, 2))
    is_auto: Mapped[bool]
    recorded_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    recorded_at: Mapped[datetime]

    exam: Mapped[Exam] = relationship(lazy="raise")
    candidate: Mapped[Candidate] = relationship(foreign_keys=candidate_id, lazy="raise")
    # The member of staff who gave the score; None for an automatic score.
    recorded_by: Mapped[Staff | None] = relationship(foreign_keys=recorded_by_id, lazy="raise")

    __table_args__ = (
        CheckConstraint("value between 0 and 100", name="value"),
        Index(
            "ix_score_recorded_by_id",
            "recorded_by_id",
            postgresql_where=text("recorded_by_id is not null"),
        ),
        # A regrade, like its preview, updates up to all scores of an exam. With half of each page
        # free, the new row versions fit on the same page, and no index has to be updated.
        {"postgresql_with": {"fillfactor": 50}},
    )


class Correction(Base):
    """The accepted answers to a question of a sealed exam; they replace the frozen answer key.

    `accepted` lists the characters of a submission that count as right: one or more options. It
    also contains the character of a blank answer if every candidate gets the credit. It is empty if
    the question no longer counts.
    """

    __tablename__ = "correction"

    exam_id: Mapped[int] = mapped_column(ForeignKey("paper.exam_id"), primary_key=True)
    question_id: Mapped[int] = mapped_column(primary_key=True)
    accepted: Mapped[str] = mapped_column(String(5))

    __table_args__ = (CheckConstraint("accepted ~ '^(A?B?C?D?|ABCD-)$'", name="accepted"),)


class Standing(Base):
    """A step of a stage's live ranking: a total score, and the rank of the next lower total
    (decisions G30).

    There is one row for each total that at least one candidate has. `audience` says whether the
    totals contain all scores (`staff`) or only released scores (`candidates`).
    """

    __tablename__ = "standing"

    audience: Mapped[str] = mapped_column(String(20), primary_key=True)
    stage: Mapped[str] = mapped_column(String(20), primary_key=True)
    total: Mapped[Decimal] = mapped_column(Numeric, primary_key=True)
    next_rank: Mapped[int]
