"""The school of the caller, who is a teacher."""

from typing import Any

from sqlalchemy import select

from competition.core.auth.access import StaffRole
from competition.core.errors import PermissionDenied, existing
from competition.core.work import Work
from competition.plugins.schools.models import School
from competition.plugins.teachers.models import Teacher


def found_school(work: Work) -> School | None:
    """The school of the caller, or None if the caller is no teacher."""
    if work.identity.kind != "staff" or work.identity.role != StaffRole.VOLUNTEER:
        return None
    return work.db.scalar(
        select(School)
        .join(Teacher, Teacher.school_id == School.id)
        .where(Teacher.user_id == work.identity.user_id)
    )


def own_school(work: Work, **path: Any) -> School:
    """Guard: the school of the caller. Raises NotFound if the caller is no teacher."""
    return existing(found_school(work))


def school_id(work: Work) -> int:
    """The id of the caller's school, for imports. Raises PermissionDenied if the caller is no
    teacher."""
    found = found_school(work)
    if found is None:
        raise PermissionDenied
    return found.id


def subject(school: School) -> str:
    """The subject of audit entries about what a teacher has changed."""
    return f"school {school.id}"
