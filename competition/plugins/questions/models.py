from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args
from uuid import UUID

from sqlalchemy import ForeignKey, Identity, Index, String, func, literal_column, select
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, column_property, mapped_column, relationship

from competition.core.choices import one_of
from competition.core.database import Base
from competition.core.messages import Message
from competition.core.storage import keys
from competition.core.users.models import Staff
from competition.plugins.questions.mathematics.rendering import QuestionTexts

Answer = Literal["A", "B", "C", "D"]
OPTIONS: tuple[str, ...] = get_args(Answer)
Difficulty = Literal["easy", "moderate", "hard"]


class Question(Base):
    """A multiple-choice question of the bank."""

    __tablename__ = "question"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    text: Mapped[str]
    option_a: Mapped[str]
    option_b: Mapped[str]
    option_c: Mapped[str]
    option_d: Mapped[str]
    # The texts with formulas and images, as HTML and in words. None if the texts have neither
    # formulas nor images.
    rendered: Mapped[QuestionTexts | None] = mapped_column(JSONB(none_as_null=True))
    spoken: Mapped[QuestionTexts | None] = mapped_column(JSONB(none_as_null=True))
    correct_answer: Mapped[Answer] = mapped_column(String(1))
    difficulty: Mapped[Difficulty] = mapped_column(String(10))
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    created_by_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("user.id", ondelete="SET NULL"), index=True
    )
    updated_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    archived_at: Mapped[datetime | None]

    created_by: Mapped[Staff | None] = relationship(foreign_keys=created_by_id, lazy="raise")
    updated_by: Mapped[Staff | None] = relationship(foreign_keys=updated_by_id, lazy="raise")

    __table_args__ = (
        one_of("correct_answer", Answer),
        one_of("difficulty", Difficulty),
        Index(
            "ix_question_text",
            literal_column("search_key(text)").label("search_key"),
            postgresql_using="gin",
            postgresql_ops={"search_key": "gin_trgm_ops"},
        ),
        Index("ix_question_created_at_id", "created_at", "id"),
        # Every page of the bank includes the number of questions, by difficulty.
        Index("ix_question_in_bank", "difficulty", postgresql_where=sql("archived_at is null")),
        # To count an exam's questions, archived questions are subtracted. They are few, so this
        # index stays small.
        Index("ix_question_archived", "id", postgresql_where=sql("archived_at is not null")),
    )

    @property
    def is_archived(self) -> bool:
        return self.archived_at is not None


# The table, to read questions as rows where no object is needed.
QUESTIONS = Question.metadata.tables["question"]


class ImageUse(Base):
    """A question that is not archived, and an image that it shows."""

    __tablename__ = "question_image_use"

    question_id: Mapped[int] = mapped_column(
        ForeignKey("question.id", ondelete="CASCADE"), primary_key=True
    )
    image_id: Mapped[int] = mapped_column(
        ForeignKey("question_image.id"), primary_key=True, index=True
    )


class QuestionImage(Base):
    """An image that questions can show.

    It has no author, so that nothing about a person is stored with it. The audit trail has the
    member of staff who uploaded it.
    """

    __tablename__ = "question_image"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    # The last part of the key is the name by which candidates get the image.
    file: Mapped[str] = mapped_column(ForeignKey("file.key"), unique=True)
    # The text for people who don't see the image.
    alt: Mapped[str] = mapped_column(String(500))
    # In pixels.
    width: Mapped[int]
    height: Mapped[int]
    created_at: Mapped[datetime]
    # The number of questions that show the image, without archived questions.
    used_by: Mapped[int] = column_property(
        select(func.count()).where(ImageUse.image_id == id).scalar_subquery()
    )

    __table_args__ = (Index("ix_question_image_created_at_id", "created_at", "id"),)

    @property
    def path(self) -> str:
        """The path from which anyone can get the image, relative to the API."""
        return f"/images/{keys.filename(self.file)}/"


@dataclass(frozen=True)
class TextMistake:
    """Why a formula or an image can't be read. `field` is the text of the question that has it."""

    field: str
    message: Message


@dataclass(frozen=True)
class TextWarning:
    """A part of the text `field` that the author of a question probably did not mean. `formula` is
    the HTML of the formula that was probably meant; None if there is none, or if it can't be
    read."""

    field: str
    message: Message
    formula: str | None = None
