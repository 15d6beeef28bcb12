"""From draft to score: exam and its questions, the frozen paper, attempt, submission, score.

The foreign keys say what comes after what: there is no attempt without a frozen paper, and no
submission without an attempt. An exam's row is thereby left alone while thousands submit.
"""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Literal, get_args
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    Numeric,
    String,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column, relationship

from competition.core.db import Base
from competition.core.users.models import Staff
from competition.plugins.questions.models import Question

Stage = Literal["screening", "league", "final"]
STAGES: tuple[Stage, ...] = get_args(Stage)
# Stands for no answer in a packed row of answers.
UNANSWERED = "-"
# Questions.
LONGEST_PAPER = 500
# Why a question is not put into an exam again.
ALREADY_THERE = "Already exists"


class Exam(Base):
    __tablename__ = "exam"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    title: Mapped[str] = mapped_column(String(255))
    stage: Mapped[Stage] = mapped_column(String(20))
    round: Mapped[int]
    description: Mapped[str]
    scheduled_date: Mapped[datetime | None]
    countdown_minutes: Mapped[int]
    open_duration_hours: Mapped[int]
    # The end of the window; concluding an exam early moves it.
    closes_at: Mapped[datetime | None]
    is_active: Mapped[bool]
    # When `is_active` was last taken away: running attempts have until then, and their grace.
    switched_off_at: Mapped[datetime | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    created_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    updated_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    # Since when the results may be public, the answer key with them: nobody starts any more.
    sealed_at: Mapped[datetime | None]
    # Deleted after somebody had started: hidden, its results are kept.
    deleted_at: Mapped[datetime | None]

    created_by: Mapped[Staff | None] = relationship(foreign_keys=created_by_id, lazy="raise")
    updated_by: Mapped[Staff | None] = relationship(foreign_keys=updated_by_id, lazy="raise")

    __table_args__ = (
        CheckConstraint("stage in ('screening', 'league', 'final')", name="stage"),
        CheckConstraint("round > 0", name="round"),
        CheckConstraint("countdown_minutes > 0", name="countdown_minutes"),
        CheckConstraint("open_duration_hours > 0", name="open_duration_hours"),
        CheckConstraint("(scheduled_date is null) = (closes_at is null)", name="closes_at"),
        CheckConstraint("is_active = (switched_off_at is null)", name="switched_off_at"),
        Index("ix_exam_stage_round", "stage", "round"),
        Index("ix_exam_scheduled_date", "scheduled_date"),
        Index("ix_exam_created_at_id", "created_at", "id"),
    )

    @property
    def stage_display(self) -> str:
        return f"{self.stage}_{self.round}"

    @property
    def countdown(self) -> timedelta:
        return timedelta(minutes=self.countdown_minutes)


class ExamQuestion(Base):
    """The draft of a paper."""

    __tablename__ = "exam_question"

    exam_id: Mapped[int] = mapped_column(
        ForeignKey("exam.id", ondelete="CASCADE"), primary_key=True
    )
    question_id: Mapped[int] = mapped_column(
        ForeignKey("question.id"), primary_key=True, index=True
    )
    position: Mapped[int]

    question: Mapped[Question] = relationship(lazy="raise")


class Paper(Base):
    """What every candidate of an exam gets, as frozen when the first one started. Never changed.

    `questions` are as candidates see them, in order; `answer_key` is a character a question.
    """

    __tablename__ = "paper"

    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id"), primary_key=True)
    question_ids: Mapped[list[int]] = mapped_column(ARRAY(Integer))
    questions: Mapped[list[Any]] = mapped_column(JSONB)
    answer_key: Mapped[str]
    frozen_at: Mapped[datetime]

    __table_args__ = (
        CheckConstraint(
            "length(answer_key) = cardinality(question_ids) and length(answer_key) > 0",
            name="a_character_a_question",
        ),
    )


class Attempt(Base):
    """A candidate has opened the paper: the clock runs from `started_at`."""

    __tablename__ = "attempt"

    exam_id: Mapped[int] = mapped_column(ForeignKey("paper.exam_id"), primary_key=True)
    candidate_id: Mapped[UUID] = mapped_column(ForeignKey("user.id"), primary_key=True, index=True)
    started_at: Mapped[datetime]


class Submission(Base):
    """The answers of one candidate: one row, a character a question, in the paper's order."""

    __tablename__ = "submission"

    exam_id: Mapped[int] = mapped_column(primary_key=True)
    candidate_id: Mapped[UUID] = mapped_column(primary_key=True, index=True)
    answers: Mapped[str]
    submitted_at: Mapped[datetime]

    __table_args__ = (
        ForeignKeyConstraint(
            ["exam_id", "candidate_id"], ["attempt.exam_id", "attempt.candidate_id"]
        ),
    )


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
