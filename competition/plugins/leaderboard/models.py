"""Published ranks. A snapshot is written whole in one transaction and never changed; readers see
the latest one. And when what is to be published."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import (
    ForeignKey,
    Identity,
    Index,
    Numeric,
    Row,
    String,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, column_property, mapped_column

from competition.core.choices import one_of
from competition.core.database import Base
from competition.core.lists import Page
from competition.plugins.exams.models import Paper, RankingPolicy, Stage

PublicationStatus = Literal["scheduled", "published", "cancelled"]
TOP_RANKS_SHOWN_APART = 3


class Publication(Base):
    """That the board of an exam is to be published at a time, or was. Until then a publication of
    everything leaves the exam alone."""

    __tablename__ = "publication"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id", ondelete="CASCADE"), index=True)
    publish_at: Mapped[datetime]
    status: Mapped[PublicationStatus] = mapped_column(String(20))
    created_at: Mapped[datetime]

    __table_args__ = (
        one_of("status", PublicationStatus),
        # An exam has one time at which it is to be published.
        Index(
            "ix_publication_scheduled",
            "exam_id",
            unique=True,
            postgresql_where=text("status = 'scheduled'"),
        ),
    )


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
    # PostgreSQL knows the default, for a worker that runs on while the database is upgraded.
    ranking: Mapped[RankingPolicy] = mapped_column(String(20), server_default="standard")
    total_questions: Mapped[int]
    total_candidates: Mapped[int]
    average_score: Mapped[Decimal] = mapped_column(Numeric(5, 2))
    # Of a board that a publication of other exams left as it was: the one that has its entries.
    copy_of: Mapped[int | None] = mapped_column(ForeignKey("board.id"), index=True)
    with_entries: Mapped[int] = column_property(func.coalesce(copy_of, id))

    __table_args__ = (UniqueConstraint("snapshot_id", "stage", "round"),)


class Entry(Base):
    """A candidate on a board. `position` is 1, 2, 3, …; `rank` is shared by equal scores.

    No foreign keys: to look them up takes as long as to write the rows. These come with their
    board, which nothing deletes, of candidates with a score, which has a key.
    """

    __tablename__ = "board_entry"

    board_id: Mapped[int] = mapped_column(primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    rank: Mapped[int]
    # As they were: the record outlives a move to another school.
    candidate_number: Mapped[int]
    user_id: Mapped[UUID]
    full_name: Mapped[str]
    school: Mapped[str]
    role: Mapped[str] = mapped_column(String(20))
    score: Mapped[Decimal] = mapped_column(Numeric(5, 2))
    # From the start to the submission, where that decides between equal scores.
    seconds_used: Mapped[Decimal | None] = mapped_column(Numeric(12, 3))
    # A score given by hand has no answers to show.
    is_auto: Mapped[bool]
    participated_at: Mapped[datetime]

    __table_args__ = (
        # In this order it is found by its user too, such as when an account is deleted.
        UniqueConstraint("user_id", "board_id"),
    )


@dataclass(frozen=True)
class Summary:
    """A snapshot with those of its boards that the caller may read."""

    snapshot: Snapshot
    boards: Sequence[Board]


@dataclass(frozen=True)
class BoardPage:
    """A page of a board: its first three entries, and those of the `others` that are on the page.
    Entries are rows with the columns of Entry that a ranking shows."""

    board: Board
    top: Sequence[Row[Any]]
    others: Page[Row[Any]]


@dataclass(frozen=True)
class Performance:
    """A candidate's entry with paper and answers, in its order; a score given by hand has neither.
    `key` is what counts as right by now, as `scores.services.keys` has it. Nobody may see the right
    answers to questions that are `still_asked` elsewhere, and the caller may not see what the
    candidate answered to those in `hidden`."""

    board: Board
    entry: Entry
    paper: Paper | None
    answers: str
    key: Sequence[str]
    still_asked: Collection[int]
    hidden: Collection[int]
