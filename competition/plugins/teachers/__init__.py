"""Teachers: volunteers who enter the pupils of their school, print login slips and read results.

A teacher is linked to one school. A candidate becomes a pupil of the school when the school enters
the candidate, or when a teacher confirms a candidate who has typed the school's name. As long as
candidates have only typed the name, the school has no rights over them.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.auth.access import StaffRole, staff
from competition.core.errors import PermissionDenied
from competition.core.limits.counters import parse_rates
from competition.core.settings import setting
from competition.plugins.people import NAMES, OTHERS

REQUIRES = ("schools",)


@dataclass(frozen=True, kw_only=True)
class TeachersSettings:
    """The rights of teachers. If `verify` is true, the identity of a pupil is approved when a
    teacher enters or confirms the pupil. A school can enter at most `most_pupils` pupils."""

    prefix: ClassVar[str] = "competition.teachers"
    verify: bool = setting(True)
    most_pupils: int = setting(500, minimum=1)


SETTINGS = TeachersSettings

# How often a teacher may read their own school.
READING = parse_rates("60/minute")


def includeme(config: Configurator) -> None:
    config.add_ceiling("teachers.reading", lambda settings: READING)
    config.add_examples(
        login="bcd234",
        code="bcdf-ghjk-mnpq",
        has_code=True,
        used=False,
        fixed=["first_name", "last_name"],
        unconfirmed=3,
        teachers=1,
        is_ours=True,
        renew=False,
        average=71.5,
    )
    config.add_import(
        "pupils",
        access=staff(),
        scope=".services.teachers.school_id",
        missing=".services.importing.missing",
        row=".schemas.PupilRow",
        check=".services.importing.check",
        apply=".services.importing.apply",
        joined=NAMES,
        invites=True,
        others=OTHERS,
    )
    config.add_import(
        "teachers",
        access=staff(StaffRole.MANAGER),
        row=".schemas.TeacherRow",
        check=".services.linking.check",
        apply=".services.linking.apply",
        joined=NAMES,
        invites=True,
        always_invites=True,
    )
    config.add_export(
        "school_results",
        "/exports/school/exams/{exam_id:int}/results/",
        ".exports.results",
        access=staff(),
        guard=".services.exams.shown",
        errors=(PermissionDenied,),
    )
    config.scan()
