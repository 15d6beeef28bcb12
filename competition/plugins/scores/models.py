"""Scores and ranks: their tables, and the numbers that are made of them."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Identity, Index, Numeric, String, text
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.db import Base
from competition.core.users.models import Staff
from competition.plugins.exams.models import Exam

# The score of a paper without a mistake.
HIGHEST_OBTAINABLE = 100.0


class Score(Base):
    """Percent, two decimals. Automatic scoring never touches a row that is there."""

    __tablename__ = "score"

    # What clients know it by.
    id: Mapped[int] = mapped_column(Identity(), unique=True)
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id"), primary_key=True)
    candidate_id: Mapped[UUID] = mapped_column(ForeignKey("user.id"), primary_key=True, index=True)
    value: Mapped[Decimal] = mapped_column(Numeric(5, 2))
    is_auto: Mapped[bool]
    recorded_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    recorded_at: Mapped[datetime]

    __table_args__ = (
        CheckConstraint("value between 0 and 100", name="value"),
        Index(
            "ix_score_recorded_by_id",
            "recorded_by_id",
            postgresql_where=text("recorded_by_id is not null"),
        ),
    )


class Standing(Base):
    """A sum of scores that somebody has in the stage of their role, and the rank of whoever comes
    next below (decisions G30). `audience` is who may see the scores that were summed up."""

    __tablename__ = "standing"

    audience: Mapped[str] = mapped_column(String(20), primary_key=True)
    stage: Mapped[str] = mapped_column(String(20), primary_key=True)
    total: Mapped[Decimal] = mapped_column(Numeric, primary_key=True)
    next_rank: Mapped[int]


@dataclass(frozen=True)
class ScoreOfExam:
    """A candidate's score with its exam; `recorded_by` is who gave it by hand."""

    score: Score
    exam: Exam
    recorded_by: Staff | None


@dataclass(frozen=True)
class LatestScore:
    """The score that a candidate got last."""

    score: float
    exam_title: str
    date: datetime


@dataclass(frozen=True)
class CandidateStats:
    """What a candidate's scores come to. The defaults are of one without a score (decisions
    G29)."""

    total_score: float = 0.0
    average_score: float = 0.0
    highest_score: float = 0.0
    lowest_score: float = 0.0
    total_exams_taken: int = 0
    latest_score: LatestScore | None = None
    highest_obtainable_score: float = HIGHEST_OBTAINABLE


@dataclass(frozen=True)
class Ranking:
    """Where a candidate stands among those of the same role: `current_rank` is None without a
    score in its stage."""

    current_rank: int | None
    total_candidates: int


@dataclass(frozen=True)
class ScoreCounts:
    """What was handed in over the season, and what it was worth. `recent_submissions` are those of
    the last 7 days."""

    total_submissions: int
    recent_submissions: int
    average_score: float
    highest_score: float


@dataclass(frozen=True)
class ExamCounts:
    """How many exams the season has. `active` are not switched off, `recent` were created in the
    last 7 days."""

    total: int
    active: int
    recent: int
