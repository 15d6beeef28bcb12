"""The tables of exams: the exam, the draft of its questions, and the frozen paper."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, partial
from operator import eq
from typing import Any, Literal, get_args
from uuid import UUID

import msgspec
from sqlalchemy import (
    CheckConstraint,
    ColumnElement,
    ForeignKey,
    Identity,
    Index,
    Integer,
    Row,
    String,
    case,
    func,
    select,
    text,
    true,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, column_property, mapped_column, relationship, undefer

from competition.core.choices import one_of
from competition.core.database import Base
from competition.core.messages import ENGLISH, Language
from competition.core.seasons.models import CURRENT_ID
from competition.core.users.models import Staff
from competition.plugins.questions.models import Question
from competition.plugins.questions.presenters import PaperQuestion, addressed, in_language

Stage = Literal["screening", "league", "final"]
STAGES: tuple[Stage, ...] = get_args(Stage)
# How equal scores are ranked: "standard" skips the ranks after a tie, "dense" does not, and with
# "time" the shorter time ranks higher.
RankingPolicy = Literal["standard", "dense", "time"]
# When candidates see their own scores.
ScoresVisible = Literal["immediately", "at_conclusion", "at_publication"]
ExamStatus = Literal["draft", "scheduled", "ongoing", "concluded", "cancelled"]
# The most questions a paper may have.
LONGEST_PAPER = 500

# The status of an exam at a given time is the first whose condition holds (decisions G1). Called
# with an exam, a condition returns a bool; called with the class, it returns an SQL expression.
STATUS_CASES: tuple[tuple[ExamStatus, Callable[[Any, Any], Any]], ...] = (
    ("draft", lambda exam, now: eq(exam.scheduled_date, None)),
    ("concluded", lambda exam, now: exam.closes_at <= now),
    ("cancelled", lambda exam, now: eq(exam.is_active, False)),
    ("scheduled", lambda exam, now: exam.scheduled_date > now),
    ("ongoing", lambda exam, now: True),
)


class ExamQuestion(Base):
    """A question in the draft of an exam's paper, with its position."""

    __tablename__ = "exam_question"

    exam_id: Mapped[int] = mapped_column(
        ForeignKey("exam.id", ondelete="CASCADE"), primary_key=True
    )
    question_id: Mapped[int] = mapped_column(
        ForeignKey("question.id"), primary_key=True, index=True
    )
    position: Mapped[int]


class Paper(Base):
    """The frozen questions of an exam, in their order. `answer_key` has one character per question.

    A paper never changes once a candidate has started the exam. `services.papers.frozen` returns it
    as a `FrozenPaper`.
    """

    __tablename__ = "paper"

    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id"), primary_key=True)
    question_ids: Mapped[list[int]] = mapped_column(ARRAY(Integer))
    questions: Mapped[list[PaperQuestion]] = mapped_column(JSONB)
    answer_key: Mapped[str]
    frozen_at: Mapped[datetime]

    __table_args__ = (
        CheckConstraint(
            "length(answer_key) = cardinality(question_ids) and length(answer_key) > 0",
            name="a_character_a_question",
        ),
    )


@dataclass(frozen=True, eq=False)
class FrozenPaper:
    """An exam's frozen questions, read from the table or about to be frozen. Every candidate of the
    exam gets these questions, in this order.

    Processes cache papers for all their threads. What is derived from a paper is computed once for
    all candidates. `stored` are the questions as the row has them: with only the paths of images,
    so that a paper stays valid if the address of the service changes.
    """

    exam_id: int
    question_ids: Sequence[int]
    stored: Sequence[PaperQuestion]
    answer_key: str
    # None if this is the paper as it would be frozen now.
    frozen_at: datetime | None
    api_url: str
    _translated: dict[Language, list[PaperQuestion]] = field(default_factory=dict)
    _written: dict[Language, msgspec.Raw] = field(default_factory=dict)

    @cached_property
    def positions(self) -> dict[int, int]:
        """The position of each question id, from 0, in the paper and in every string of answers."""
        return {question_id: index for index, question_id in enumerate(self.question_ids)}

    @cached_property
    def questions(self) -> list[PaperQuestion]:
        """The questions as candidates see them, with the current addresses of their images."""
        return [addressed(each, self.api_url) for each in self.stored]

    def questions_in(self, language: Language | None) -> list[PaperQuestion]:
        """The questions, with the spoken words of their formulas (`spoken`) in this language, or in
        English if `language` is None."""
        wanted = language or ENGLISH
        if wanted not in self._translated:
            self._translated[wanted] = [in_language(each, wanted) for each in self.questions]
        return self._translated[wanted]

    def written_in(self, language: Language | None) -> msgspec.Raw:
        """The result of `questions_in`, encoded as JSON."""
        wanted = language or ENGLISH
        if wanted not in self._written:
            self._written[wanted] = msgspec.Raw(msgspec.json.encode(self.questions_in(wanted)))
        return self._written[wanted]


class PaperImage(Base):
    """An image that a frozen paper shows. It can't be deleted as long as the paper exists."""

    __tablename__ = "paper_image"

    exam_id: Mapped[int] = mapped_column(
        ForeignKey("paper.exam_id", ondelete="CASCADE"), primary_key=True
    )
    image_id: Mapped[int] = mapped_column(
        ForeignKey("question_image.id"), primary_key=True, index=True
    )


class Exam(Base):
    __tablename__ = "exam"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    title: Mapped[str] = mapped_column(String(255))
    stage: Mapped[Stage] = mapped_column(String(20))
    round: Mapped[int]
    description: Mapped[str]
    scheduled_date: Mapped[datetime | None]
    # How long a candidate may work on the paper.
    countdown_minutes: Mapped[int]
    # The planned length of the window, from `scheduled_date` to `closes_at`. Concluding the exam
    # ends the window earlier.
    open_duration_hours: Mapped[int]
    # The end of the window. Concluding the exam early changes it.
    closes_at: Mapped[datetime | None]
    ranking: Mapped[RankingPolicy] = mapped_column(String(20), default="standard")
    # None means the service's default, which is a setting.
    scores_visible: Mapped[ScoresVisible | None] = mapped_column(String(20))
    is_active: Mapped[bool]
    # When the exam was last switched off. Running attempts end then, plus the grace period.
    switched_off_at: Mapped[datetime | None]
    # The season in which the exam was created, or to which it was moved. Processes of the previous
    # release insert exams without a season; such exams are of the first season.
    season_id: Mapped[int] = mapped_column(
        ForeignKey("season.id"), index=True, default=CURRENT_ID, server_default=text("1")
    )
    # Whether `season_id` is the current season. Opening a season, and undoing this, sets the column
    # in all exams, so that readers need not query the current season first.
    is_current: Mapped[bool] = mapped_column(default=True, server_default=true())
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    created_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    updated_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    # When the first candidate started. From then on the countdown can only become longer.
    first_started_at: Mapped[datetime | None]
    # When the exam was sealed. From then on nobody can start or submit it.
    sealed_at: Mapped[datetime | None]
    # When the exam was first published. From then on its results and answer key may be public.
    published_at: Mapped[datetime | None]
    # When the exam was deleted although other rows refer to it. It is then only hidden.
    deleted_at: Mapped[datetime | None]

    created_by: Mapped[Staff | None] = relationship(foreign_keys=created_by_id, lazy="raise")
    updated_by: Mapped[Staff | None] = relationship(foreign_keys=updated_by_id, lazy="raise")
    # The number of questions in the frozen paper. Without a frozen paper, the number in the draft,
    # not counting archived questions. Only loaded with the option with_count.
    question_count: Mapped[int] = column_property(
        func.coalesce(
            select(func.cardinality(Paper.question_ids)).filter_by(exam_id=id).scalar_subquery(),
            select(func.count()).where(ExamQuestion.exam_id == id).scalar_subquery()
            - select(func.count())
            .select_from(Question)
            .join(ExamQuestion, ExamQuestion.question_id == Question.id)
            .where(ExamQuestion.exam_id == id, Question.archived_at.is_not(None))
            .scalar_subquery(),
        ),
        deferred=True,
        raiseload=True,
    )

    __table_args__ = (
        one_of("stage", Stage),
        one_of("ranking", RankingPolicy),
        one_of("scores_visible", ScoresVisible),
        CheckConstraint("round > 0", name="round"),
        CheckConstraint("countdown_minutes > 0", name="countdown_minutes"),
        CheckConstraint("open_duration_hours > 0", name="open_duration_hours"),
        CheckConstraint("(scheduled_date is null) = (closes_at is null)", name="closes_at"),
        CheckConstraint("is_active = (switched_off_at is null)", name="switched_off_at"),
        Index("ix_exam_stage_round", "stage", "round"),
        Index("ix_exam_scheduled_date", "scheduled_date"),
        Index("ix_exam_created_at_id", "created_at", "id"),
    )

    @classmethod
    def has_status(
        cls, wanted: ExamStatus, now: datetime | ColumnElement[datetime]
    ) -> ColumnElement[bool]:
        """SQL condition: whether the exam has the status `wanted` at the time `now`."""
        return cls.status_at(now) == wanted

    @classmethod
    def status_at(cls, now: datetime | ColumnElement[datetime]) -> ColumnElement[ExamStatus]:
        """SQL expression for the exam's status at the time `now`."""
        return case(*((holds(cls, now), status) for status, holds in STATUS_CASES))


# The table, to read exams as rows where no object is needed.
EXAMS = Exam.metadata.tables["exam"]


def status_of(exam: Exam | Row[Any], now: datetime) -> ExamStatus:
    return next(status for status, holds in STATUS_CASES if holds(exam, now))


def concluded_at(exam: Exam, now: datetime) -> datetime | None:
    """When the exam closed, or None if it is not concluded (decisions G2)."""
    return exam.closes_at if status_of(exam, now) == "concluded" else None


# Returns the option of a statement that also loads `question_count`. It is a function because
# creating the option configures all models, which is possible only when all of them are imported.
with_count = partial(undefer, Exam.question_count)
