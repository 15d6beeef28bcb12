"""The table of drafts: one row per candidate and exam."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base

# The character in `Draft.changes` for a question that the save does not change.
UNCHANGED = "."


class Draft(Base):
    """The answers that a candidate has saved so far, packed like those of a submission: a string
    with one character per question, in the order of the paper.

    `sequence` is the number of the latest applied save, and `changes` are the changes it made. Both
    together identify a retry of that save.

    `reopened_sequence` is the sequence with which staff reopened the attempt; 0 if they never did.
    A save that follows an older draft was made before the submission that staff took back.

    `closed_at` is when the service found that the time was over and submitted the answers. Saves
    that arrive after that are rejected. If the candidate gets more time, it is null again.
    """

    __tablename__ = "draft"

    # Refers to the paper, so that inserting a draft and sealing the exam wait for each other.
    exam_id: Mapped[int] = mapped_column(ForeignKey("paper.exam_id"), primary_key=True)
    candidate_id: Mapped[UUID] = mapped_column(primary_key=True, index=True)
    sequence: Mapped[int] = mapped_column(BigInteger)
    reopened_sequence: Mapped[int] = mapped_column(BigInteger, server_default="0")
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
        # Finding the drafts that may have to be submitted uses this index.
        Index("ix_draft_open", "exam_id", postgresql_where=text("closed_at is null")),
        # Half of each page stays free for new versions of its rows. As a save changes no indexed
        # value, it then needs no new index entries.
        {"postgresql_with": {"fillfactor": 50}},
    )


@dataclass(frozen=True)
class Saved:
    """The result of a save: whether it was applied, the draft after it, and the deadline of the
    attempt."""

    is_applied: bool
    sequence: int
    answers: str
    saved_at: datetime
    deadline: datetime
