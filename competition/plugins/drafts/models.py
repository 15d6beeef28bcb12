"""Drafts, a row for each candidate and exam."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base

# Stands for a question that a save does not name, in a packed row of changes.
UNCHANGED = "."


class Draft(Base):
    """What a candidate has answered so far: `answers` are packed as those of a submission, and
    `changes` are what the last save that counted, `sequence`, said of each question.

    `closed_at` is when the service found the time over, and handed in what there was: a save that
    comes after it, however long it was on its way, is refused. Time that is given later opens the
    draft again.
    """

    __tablename__ = "draft"

    # Of the paper, too: whoever seals the exam holds that, and waits for a first save.
    exam_id: Mapped[int] = mapped_column(ForeignKey("paper.exam_id"), primary_key=True)
    candidate_id: Mapped[UUID] = mapped_column(primary_key=True, index=True)
    sequence: Mapped[int] = mapped_column(BigInteger)
    answers: Mapped[str]
    changes: Mapped[str]
    saved_at: Mapped[datetime]
    closed_at: Mapped[datetime | None]

    __table_args__ = (
        ForeignKeyConstraint(
            ["exam_id", "candidate_id"], ["attempt.exam_id", "attempt.candidate_id"]
        ),
        CheckConstraint("sequence > 0", name="sequence"),
        CheckConstraint("length(answers) = length(changes)", name="a_character_a_question"),
        # What may have to be handed in.
        Index("ix_draft_open", "exam_id", postgresql_where=text("closed_at is null")),
        # A save changes nothing that has an index, and finds room for the row in its page: so no
        # index grows, however often somebody saves.
        {"postgresql_with": {"fillfactor": 50}},
    )


@dataclass(frozen=True)
class Saved:
    """What became of a save: the draft as it is then, and whether that has it. `deadline` is the
    attempt's."""

    is_applied: bool
    sequence: int
    answers: str
    saved_at: datetime
    deadline: datetime
