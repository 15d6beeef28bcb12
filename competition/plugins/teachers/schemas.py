from typing import Any

from competition.core.schemas import (
    LARGEST_ID,
    Boolean,
    Choice,
    Email,
    Integer,
    Nullable,
    Phone,
    Schema,
    Text,
    node,
    partial,
)
from competition.core.seasons.schemas import season_filter
from competition.core.users.models import YEARS
from competition.core.web.importing import EMAIL
from competition.core.web.paging import ListQuery, PageQuery, ordered_by, searched
from competition.plugins.people import schemas as people
from competition.plugins.teachers.models import ExamState, PupilState
from competition.plugins.teachers.services import exams, linking, pupils

ROW = people.CandidateRow()


def _column(name: str) -> Any:
    """The column with this name of an import of candidates."""
    return ROW[name].clone()


class PupilRow(people.PersonRow):
    email = _column("email")
    external_id = _column("external_id")
    phone = _column("phone")
    year = _column("year")
    group = _column("group")
    guardian_name = _column("guardian_name")
    guardian_email = _column("guardian_email")


class TeacherRow(people.PersonRow):
    email = node(Email(), headers=EMAIL, example="ada@school.example")
    school = _column("school")
    phone = _column("phone")


class NewTeacher(Schema):
    email = node(Email())
    first_name = node(Text(1, 150))
    last_name = node(Text(1, 150))
    phone = node(Phone(), missing="")


class NewPupil(Schema):
    """A pupil. Without an email address, the pupil gets a login."""

    first_name = node(Text(1, 150))
    last_name = node(Text(1, 150))
    year = node(Nullable(Integer(*YEARS)), missing=None)
    group = node(Text(0, 50), missing="")
    external_id = node(Nullable(Text(1, 50)), missing=None)
    email = node(Nullable(Email(new=True)), missing=None)
    guardian_name = node(Nullable(Text(1, 200)), missing=None)
    guardian_email = node(Nullable(Email()), missing=None)


class PupilFields(Schema):
    first_name = node(Text(1, 150))
    last_name = node(Text(1, 150))
    year = node(Nullable(Integer(*YEARS)))
    group = node(Text(0, 50))
    external_id = node(Nullable(Text(1, 50)))


PupilChanges = partial(PupilFields, "PupilChanges")


class Confirmation(Schema):
    is_ours = node(
        Boolean(),
        description="Whether the candidate is a pupil of your school. With true, the candidate"
        " becomes a pupil of the school, and joins the current season.",
    )


class PupilFilters(PageQuery):
    ordering = ordered_by(pupils.ORDERING)
    search = searched("the name")
    year = node(Integer(*YEARS), missing=None, description="Only pupils of this school year.")
    group = node(Text(0, 50), missing="", description="Only pupils of this group.")
    state = node(Choice(PupilState), missing=None, description="Only pupils in this state.")
    needs_code = node(
        Boolean(),
        missing=False,
        description="Only pupils without an email address who have no code to sign in with.",
    )
    missing_from = node(
        Integer(1, LARGEST_ID),
        missing=None,
        description="Only pupils whom this import of pupils does not name.",
    )


class TeacherFilters(ListQuery):
    ordering = ordered_by(linking.ORDERING)
    search = searched("the name and the email address")


class ExamFilters(ListQuery):
    ordering = ordered_by(exams.ORDERING)
    search = searched("the title")
    season = season_filter()


class ResultFilters(PageQuery):
    search = searched("the name")
    group = node(Text(0, 50), missing="", description="Only pupils of this group.")


class SittingFilters(ResultFilters):
    state = node(Choice(ExamState), missing=None, description="Only pupils in this state.")
