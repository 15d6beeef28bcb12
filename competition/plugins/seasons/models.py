from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base
from competition.core.seasons.models import Season


class PastSeason(Base):
    """A season that has ended, of a candidate who had joined it: the stage that they had reached,
    and their school and school year then."""

    __tablename__ = "past_season"

    candidate_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    season_id: Mapped[int] = mapped_column(ForeignKey("season.id"), primary_key=True, index=True)
    stage: Mapped[str] = mapped_column(String(20))
    school: Mapped[str] = mapped_column(String(200))
    year: Mapped[int | None]
    # When the candidate joined the season, if that was after the registration.
    joined_at: Mapped[datetime | None]


@dataclass(frozen=True)
class Counted:
    """A season, with the numbers of its exams and of the candidates who have joined it."""

    season: Season
    exams: int
    candidates: int


@dataclass(frozen=True)
class Numbers:
    """How many candidates there are, how many of them get the role screening, and how many count
    as joined, if a season is opened now."""

    all: int
    moved: int
    joined: int
