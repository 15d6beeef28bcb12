"""Export and erase a user's links to schools, as a teacher or as a pupil."""

from typing import Any

from sqlalchemy import delete, select

from competition.core.users.models import User
from competition.core.users.personal_data import personal_data
from competition.core.work import Work
from competition.plugins.schools.models import School
from competition.plugins.teachers.models import Pupil, Teacher


def export(work: Work, user: User) -> list[dict[str, Any]]:
    """The school whose teacher or pupil the user is."""
    taught = work.db.execute(
        select(School.name, Teacher.created_at)
        .join(Teacher, Teacher.school_id == School.id)
        .where(Teacher.user_id == user.id)
    )
    said = work.db.execute(
        select(School.name, Pupil.tie, Pupil.is_entered, Pupil.changed_at)
        .join(Pupil, Pupil.school_id == School.id)
        .where(Pupil.user_id == user.id)
    )
    return [{"teacher_of": name, "since": since} for name, since in taught] + [
        {"pupil_of": name, "tie": tie, "entered": entered, "changed_at": at}
        for name, tie, entered, at in said
    ]


@personal_data("teachers", export=export)
def erase(work: Work, user: User) -> None:
    """Delete the user's link to a school as a teacher, and a school's decision about the user as a
    pupil."""
    work.db.execute(delete(Teacher).where(Teacher.user_id == user.id))
    work.db.execute(delete(Pupil).where(Pupil.user_id == user.id))
