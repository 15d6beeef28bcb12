"""Published ranks. A snapshot is written whole in one transaction and never changed; readers see
the latest one."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from sqlalchemy import ForeignKey, Identity, Index, Numeric, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.db import Base
from competition.plugins.exams.models import Stage


class Snapshot(Base):
    """One publication of all boards."""

    __tablename__ = "snapshot"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    published_at: Mapped[datetime]


class Board(Base):
    """The exam of a stage and round as it was when it was published."""

    __tablename__ = "board"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    snapshot_id: Mapped[int] = mapped_column(ForeignKey("snapshot.id", ondelete="CASCADE"))
    stage: Mapped[Stage] = mapped_column(String(20))
    round: Mapped[int]
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id"), index=True)
    exam_title: Mapped[str] = mapped_column(String(255))
    scheduled_date: Mapped[datetime]
    concluded_at: Mapped[datetime]
    total_questions: Mapped[int]
    total_candidates: Mapped[int]
    average_score: Mapped[Decimal] = mapped_column(Numeric(5, 2))

    __table_args__ = (UniqueConstraint("snapshot_id", "stage", "round"),)

    @property
    def stage_display(self) -> str:
        return f"{self.stage}_{self.round}"


class Entry(Base):
    """A candidate on a board. `position` is 1, 2, 3, …; `rank` is shared by equal scores."""

    __tablename__ = "board_entry"

    board_id: Mapped[int] = mapped_column(
        ForeignKey("board.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True)
    rank: Mapped[int]
    # As they were: the record outlives a move to another school.
    candidate_number: Mapped[int]
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user.id"))
    full_name: Mapped[str]
    school: Mapped[str]
    role: Mapped[str] = mapped_column(String(20))
    score: Mapped[Decimal] = mapped_column(Numeric(5, 2))
    # A score given by hand has no answers to show.
    is_auto: Mapped[bool]
    participated_at: Mapped[datetime]

    __table_args__ = (
        # In this order it is found by its user too, such as when an account is deleted.
        UniqueConstraint("user_id", "board_id"),
        Index("ix_board_entry_board_id_candidate_number", "board_id", "candidate_number"),
    )
