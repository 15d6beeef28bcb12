"""The tables of schools, and of leaderboards of schools.

A trigger on the table of accounts inserts a school for each school name in an account that is
neither the name nor an alias of a school. So every candidate's school has a row, however the
account was changed.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy import Computed, ForeignKey, Identity, Numeric, Row, String
from sqlalchemy.orm import Mapped, mapped_column, relationship, validates

from competition.core.database import Base, SearchKey
from competition.core.lists import Page
from competition.core.texts import name_key

LONGEST_NAME = 200


class School(Base):
    """A school. It is `is_listed` once staff have created, changed or merged it. A school that is
    not listed is deleted when no candidate has its name any longer."""

    __tablename__ = "school"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    name: Mapped[str] = mapped_column(String(LONGEST_NAME))
    key: Mapped[str] = mapped_column(unique=True)
    code: Mapped[str | None] = mapped_column(String(50))
    code_key: Mapped[str | None] = mapped_column(unique=True)
    region: Mapped[str] = mapped_column(String(100), default="", server_default="")
    is_listed: Mapped[bool] = mapped_column(default=False, server_default="false")
    # The name as searches compare it. Only statements use it, so it is not loaded. In every
    # database, its order is that of code points, which is Python's order, too.
    searched: Mapped[str] = mapped_column(
        SearchKey(collation="C"), Computed("search_key(name)", persisted=True), deferred=True
    )

    aliases: Mapped[list["Alias"]] = relationship(
        order_by="Alias.name", lazy="raise", passive_deletes="all"
    )

    @validates("name")
    def _set_key(self, name: str, value: str) -> str:
        self.key = name_key(value)
        return value

    @validates("code")
    def _set_code_key(self, name: str, value: str | None) -> str | None:
        self.code_key = None if value is None else name_key(value)
        return value


class Alias(Base):
    """Another name of a school. Candidates who choose it get the school's own name."""

    __tablename__ = "school_alias"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    school_id: Mapped[int] = mapped_column(ForeignKey("school.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(LONGEST_NAME))
    key: Mapped[str] = mapped_column(unique=True)
    # The name as searches compare it, like `School.searched`.
    searched: Mapped[str] = mapped_column(
        SearchKey(), Computed("search_key(name)", persisted=True), deferred=True
    )

    @validates("name")
    def _set_key(self, name: str, value: str) -> str:
        self.key = name_key(value)
        return value


class SchoolBoard(Base):
    """The leaderboard of schools that belongs to a leaderboard of candidates, with its rule."""

    __tablename__ = "school_board"

    board_id: Mapped[int] = mapped_column(
        ForeignKey("board.id", ondelete="CASCADE"), primary_key=True
    )
    best: Mapped[int]
    minimum: Mapped[int]


class SchoolStanding(Base):
    """A school on a leaderboard of schools. The row keeps the name and region that the school had
    when the leaderboard was published."""

    __tablename__ = "school_standing"

    board_id: Mapped[int] = mapped_column(
        ForeignKey("school_board.board_id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True)
    rank: Mapped[int]
    school: Mapped[str] = mapped_column(String(LONGEST_NAME))
    region: Mapped[str] = mapped_column(String(100))
    candidates: Mapped[int]
    counted: Mapped[int]
    score: Mapped[Decimal] = mapped_column(Numeric)


@dataclass(frozen=True)
class Numbers:
    """How many candidates a school has, and how many of them are verified."""

    candidates: int = 0
    verified: int = 0


@dataclass(frozen=True)
class Standing:
    """A school on a leaderboard of schools."""

    rank: int
    school: str
    region: str
    candidates: int
    counted: int
    score: Decimal


@dataclass(frozen=True)
class Ranking:
    """The schools of a leaderboard, with the rule by which they are ranked."""

    best: int
    minimum: int
    standings: list[Standing]


@dataclass(frozen=True)
class SchoolPage:
    """A page of the schools of a leaderboard, with the rule by which they are ranked."""

    board: Row[Any]
    best: int
    minimum: int
    page: Page[Standing]
