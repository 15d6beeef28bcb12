from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Identity, Index, String, func, select, text, true
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base


class Season(Base):
    """A season. Ids grow with time, and exactly one season is current: it has no `closed_at`."""

    __tablename__ = "season"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    name: Mapped[str] = mapped_column(String(50), unique=True)
    # Whether every candidate who registered before the season's end has joined it automatically.
    joins_everybody: Mapped[bool]
    opened_at: Mapped[datetime]
    closed_at: Mapped[datetime | None]

    __table_args__ = (
        # Allows only one current season: the unique index has only rows without `closed_at`, and
        # all of them have the same value.
        Index(
            "uq_season_current",
            text("(closed_at is null)"),
            unique=True,
            postgresql_where=text("closed_at is null"),
        ),
    )


class PastSeason(Base):
    """A candidate's record of an ended season: the stage that they had reached, and their school,
    school year and group at its end. Tables about the season show these (`users.affiliations`).

    Records with `had_joined` false are of candidates whom staff or a plan had promoted although
    they had not joined the season. They serve to undo the opening of the next season. Queries for
    the candidates of a season leave them out.
    """

    __tablename__ = "past_season"

    candidate_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    season_id: Mapped[int] = mapped_column(ForeignKey("season.id"), primary_key=True, index=True)
    stage: Mapped[str] = mapped_column(String(20))
    school: Mapped[str] = mapped_column(String(200))
    year: Mapped[int | None]
    group: Mapped[str] = mapped_column(String(50), server_default="")
    # The id of the school whose own pupil the candidate was (plugin `teachers`). This is no foreign
    # key, because the table of schools belongs to a plugin.
    pupil_of: Mapped[int | None]
    # When the candidate joined the season. None if they joined it by registering, or automatically,
    # because it has `joins_everybody`.
    joined_at: Mapped[datetime | None]
    had_joined: Mapped[bool] = mapped_column(server_default=true())

    __table_args__ = (
        # To find the pupils of a school in a season.
        Index(
            "ix_past_season_pupil_of",
            "pupil_of",
            "season_id",
            postgresql_where=text("pupil_of is not null"),
        ),
    )


SEASONS = Season.metadata.tables["season"]
# SQL expression for the id of the current season.
CURRENT_ID = select(SEASONS.c.id).where(SEASONS.c.closed_at.is_(None)).scalar_subquery()
# SQL expression for the id of the latest season with `joins_everybody`, or 0 if there is none.
# Every candidate has joined this season or a later one.
EVERYBODY_JOINED = (
    select(func.coalesce(func.max(SEASONS.c.id), 0))
    .where(SEASONS.c.joins_everybody)
    .scalar_subquery()
)
