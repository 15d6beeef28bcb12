from collections.abc import Collection

from sqlalchemy import func, select

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.schools.offered_slots import SCHOOL
from competition.plugins.teachers.models import Teacher


@fill_slot(SCHOOL, "teachers")
def teachers(work: Work, school_ids: Collection[int]) -> dict[int, int]:
    rows = work.db.execute(
        select(Teacher.school_id, func.count())
        .where(Teacher.school_id.in_(school_ids))
        .group_by(Teacher.school_id)
    )
    counts: dict[int, int] = {school_id: count for school_id, count in rows}
    return {each: counts.get(each, 0) for each in school_ids}
