"""The tables of teachers and of their pupils."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import ForeignKey, Index, Row, String
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.choices import one_of
from competition.core.database import Base
from competition.core.messages import Message
from competition.core.users.models import Staff
from competition.plugins.exams.models import Exam
from competition.plugins.schools.models import School

# The fields of a pupil that a teacher can't always change.
FixedField = Literal["first_name", "last_name", "phone", "year"]
# The school's decision about a candidate.
Tie = Literal["ours", "removed", "refused"]
# The state of a candidate in the list of a teacher.
PupilState = Literal["unconfirmed", "not_joined", "not_verified", "verified", "removed"]
# The state after a teacher has decided whether a candidate is a pupil.
DecidedState = Literal[
    "unconfirmed", "not_joined", "not_verified", "verified", "removed", "refused"
]
# The progress of a pupil in an exam.
ExamState = Literal["not_started", "sitting", "submitted"]
NAMES_STAY = Message(
    "The names of this pupil can't be changed here any longer. Ask the organisers to change them."
)
YEAR_STAYS = Message(
    "The year of a pupil who has started an exam or has a score can't be changed here. Ask the"
    " organisers."
)
NOT_ENTERED = Message(
    "This pupil has registered alone. Only the pupil and the organisers can change this."
)


class Teacher(Base):
    """The link of a member of staff to a school."""

    __tablename__ = "teacher"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    school_id: Mapped[int] = mapped_column(ForeignKey("school.id"), index=True)
    invited_by_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("user.id", ondelete="SET NULL"), index=True
    )
    created_at: Mapped[datetime]


class Pupil(Base):
    """A school's decision about a candidate, as long as this school counts for the candidate. The
    row is deleted when another school counts. Candidates without a row have only typed the name of
    the school."""

    __tablename__ = "pupil"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    school_id: Mapped[int] = mapped_column(ForeignKey("school.id", ondelete="CASCADE"))
    tie: Mapped[Tie] = mapped_column(String(10))
    # Whether the school has entered the candidate. If so, the school vouches for the names.
    is_entered: Mapped[bool]
    changed_at: Mapped[datetime]

    __table_args__ = (one_of("tie", Tie), Index("ix_pupil_school_id_tie", "school_id", "tie"))


@dataclass(frozen=True)
class Link:
    """A teacher, with the account and the school."""

    teacher: Teacher
    user: Staff
    school: School


@dataclass(frozen=True)
class ExamOfSchool:
    """An exam, and how many of the school's own pupils are in each state."""

    exam: Exam
    counts: dict[ExamState, int]


def fixed(row: Row[*tuple[Any, ...]]) -> dict[FixedField, Message]:
    """The fields of one of the school's own pupils that a teacher can't change, each with the
    reason. `row` has the columns `services.pupils.FIXING`.

    The names and the phone number can only be changed if the school has entered the pupil. The
    names can only be changed until the pupil's first exam: otherwise a teacher could give the
    results of one pupil to another. The year can only be changed until the pupil's first exam of
    the season, because an exam for a lower year may be easier. An exam in which staff have given
    the pupil a score counts too.
    """
    found: dict[FixedField, Message] = {}
    if not row.is_entered:
        found |= {"first_name": NOT_ENTERED, "last_name": NOT_ENTERED, "phone": NOT_ENTERED}
    elif row.taken_now is not None:
        found |= {"first_name": NAMES_STAY, "last_name": NAMES_STAY}
    if row.taken_now:
        found["year"] = YEAR_STAYS
    return found
