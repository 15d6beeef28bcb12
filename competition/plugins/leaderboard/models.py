"""Tables of published ranks and of scheduled publications.

A snapshot is written in one transaction and never changed, except that names are erased. Readers
see the latest snapshot.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, NamedTuple
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
from competition.core.seasons.models import CURRENT_ID
from competition.plugins.exams.models import FrozenPaper, RankingPolicy, Stage

PublicationStatus = Literal["scheduled", "published", "cancelled"]
TOP_RANKS_SHOWN_APART = 3


class Publication(Base):
    """The publication of an exam's board at a given time: scheduled, done or cancelled.

    While this publication is scheduled, a publication of all exams leaves this exam's board as it
    is.
    """

    __tablename__ = "publication"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id", ondelete="CASCADE"), index=True)
    publish_at: Mapped[datetime]
    status: Mapped[PublicationStatus] = mapped_column(String(20))
    created_at: Mapped[datetime]

    __table_args__ = (
        one_of("status", PublicationStatus),
        # An exam has at most one scheduled publication.
        Index(
            "ix_publication_scheduled",
            "exam_id",
            unique=True,
            postgresql_where=text("status = 'scheduled'"),
        ),
    )


class Snapshot(Base):
    """The boards of all published exams of a season, as they were published at one time."""

    __tablename__ = "snapshot"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    # The season of the exams whose boards the snapshot has. The default is for processes of the
    # previous release.
    season_id: Mapped[int] = mapped_column(
        ForeignKey("season.id"), index=True, default=CURRENT_ID, server_default=text("1")
    )
    published_at: Mapped[datetime]


class Board(Base):
    """The leaderboard of an exam, with the data of the exam when it was published.

    If several exams of a stage and round are published, a snapshot has the boards of all of them.
    `services.reading` chooses the newest if readers ask by stage and round (decisions G6).
    """

    __tablename__ = "board"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    snapshot_id: Mapped[int] = mapped_column(ForeignKey("snapshot.id", ondelete="CASCADE"))
    stage: Mapped[Stage] = mapped_column(String(20))
    round: Mapped[int]
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id"), index=True)
    exam_title: Mapped[str] = mapped_column(String(255))
    scheduled_date: Mapped[datetime]
    concluded_at: Mapped[datetime]
    ranking: Mapped[RankingPolicy] = mapped_column(String(20))
    total_questions: Mapped[int]
    total_candidates: Mapped[int]
    average_score: Mapped[Decimal] = mapped_column(Numeric(5, 2))
    # The board that has the entries, if this board is a copy from the previous snapshot.
    copy_of: Mapped[int | None] = mapped_column(ForeignKey("board.id"), index=True)
    with_entries: Mapped[int] = column_property(func.coalesce(copy_of, id))

    __table_args__ = (UniqueConstraint("snapshot_id", "exam_id"),)


class Entry(Base):
    """A candidate on a board. `position` counts the entries from 1. Candidates with equal scores
    share a `rank`, unless the exam ranks equal scores by time.

    There are no foreign keys, because checking them would take as long as writing the rows. They
    are not needed: nothing deletes a board, and the candidate's score has a foreign key to the
    candidate.
    """

    __tablename__ = "board_entry"

    board_id: Mapped[int] = mapped_column(primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    rank: Mapped[int]
    # Copies from the time of the publication: moving to another school does not change the record.
    candidate_number: Mapped[int]
    user_id: Mapped[UUID]
    full_name: Mapped[str]
    school: Mapped[str]
    role: Mapped[str] = mapped_column(String(20))
    score: Mapped[Decimal] = mapped_column(Numeric(5, 2))
    # The time from the start to the submission, if the exam ranks equal scores by time.
    seconds_used: Mapped[Decimal | None] = mapped_column(Numeric(12, 3))
    # False for a score given by staff, which has no answers to show.
    is_auto: Mapped[bool]
    participated_at: Mapped[datetime]

    __table_args__ = (
        # The index begins with `user_id`, so that it also finds the entries of a candidate, for
        # example to erase the name.
        UniqueConstraint("user_id", "board_id"),
    )


class Expected(NamedTuple):
    """A publication, and when the service publishes the leaderboard at the latest, if it will."""

    publication: Publication
    expected_at: datetime | None


@dataclass(frozen=True)
class Summary:
    """A snapshot and some of its boards. Each board is a Board, or a row with the attributes of a
    Board."""

    snapshot_id: int
    published_at: datetime
    boards: Sequence[Board | Row[Any]]


@dataclass(frozen=True)
class Published(Summary):
    """A snapshot with the boards that were computed for it."""

    season_id: int


@dataclass(frozen=True)
class BoardPage:
    """A page of a board: the first three entries of the board, and the page of the `others`.

    The board is a row with the attributes of a Board, and entries are rows with the columns
    `services.reading.SHOWN`.
    """

    board: Row[Any]
    top: Sequence[Row[Any]]
    others: Page[Row[Any]]


@dataclass(frozen=True)
class Performance:
    """A candidate's entry with the paper and the answers, in the order of the paper.

    A score given by staff has neither paper nor answers. `key` is the current answer key, in the
    form that `scores.services.keys` describes. `still_asked` are the ids of questions in another
    exam that can still be taken; their right answers are withheld. `hidden` are the ids of
    questions whose answers by the candidate the caller may not see. `board` is a row with the
    attributes of a Board.
    """

    board: Row[Any]
    entry: Entry
    paper: FrozenPaper | None
    answers: str
    key: Sequence[str]
    still_asked: Collection[int]
    hidden: Collection[int]
