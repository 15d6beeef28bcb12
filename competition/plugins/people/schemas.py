from typing import Any

import colander

from competition.core.auth.access import CandidateRole, StaffRole
from competition.core.auth.identity import Kind
from competition.core.messages import Language, Message
from competition.core.schemas import (
    REQUIRED,
    Boolean,
    Choice,
    Email,
    Integer,
    Nullable,
    Password,
    Phone,
    Schema,
    Text,
    Type,
    Uuid,
    drop,
    node,
)
from competition.core.seasons.schemas import season_filter
from competition.core.storage.pictures import ReceivedFile
from competition.core.users.models import YEARS, ProfileStatus
from competition.core.web.forms import Upload
from competition.core.web.importing import EMAIL, FIRST_NAME, LAST_NAME, NUMBER, SCHOOL
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.people.services.audit_trail import ORDERING as AUDIT_ORDERING
from competition.plugins.people.services.invitations import PASSWORDS
from competition.plugins.people.services.listing import (
    CANDIDATE_ORDERING,
    ORDERING,
    STAFF_ORDERING,
)
from competition.plugins.people.services.pictures import LARGEST

PICTURE = (Upload("profile_picture", LARGEST),)


class NewCandidateRole(Schema):
    role = node(Choice(CandidateRole))


class NewStaffRole(Schema):
    role = node(Choice(StaffRole))


class DocumentQuery(Schema):
    documents = node(
        Boolean(),
        missing=True,
        description="false: without links to identity documents. Links to other users' documents"
        " are recorded in the audit trail.",
    )


class CandidateQuery(DocumentQuery):
    season = season_filter()


class CandidateFilters(ListQuery):
    ordering = ordered_by(CANDIDATE_ORDERING)
    search = searched("name, email and school")
    role = node(Choice(CandidateRole), missing=None, description="Only candidates in this stage.")
    joined = node(
        Boolean(),
        missing=None,
        description="Only candidates who have joined the current season, or have not.",
    )
    has_email = node(
        Boolean(),
        missing=None,
        description="true: only candidates with an email address; false: only candidates without"
        " one, who sign in with a login slip.",
    )
    school = node(
        Text(0, 200), missing="", description="Only candidates whose school contains this text."
    )
    status = node(Choice(ProfileStatus), missing=None, description="Only accounts in this state.")
    verified = node(
        Boolean(),
        missing=None,
        description="true: only accounts whose identity is approved; false: only accounts whose"
        " identity is not approved.",
    )


class StaffFilters(ListQuery):
    ordering = ordered_by(STAFF_ORDERING)
    search = searched("name and email")
    role = node(Choice(StaffRole), missing=None, description="Only staff with this role.")
    occupation = node(
        Text(0, 150), missing="", description="Only staff whose occupation contains this text."
    )


class UserFilters(ListQuery):
    ordering = ordered_by(ORDERING)
    profile = node(Choice(Kind), missing=None, description="Only accounts of this kind.")
    is_active = node(
        Boolean(),
        missing=None,
        description="true: only active accounts; false: only deactivated accounts.",
    )
    search = searched("name, email and school")


class AuditFilters(ListQuery):
    ordering = ordered_by(AUDIT_ORDERING)
    search = searched("action and subject")
    action = node(Text(0, 100), missing="", description="Only entries of this action.")
    actor_id = node(Uuid(), missing=None, description="Only entries about actions of this user.")
    target_id = node(Uuid(), missing=None, description="Only entries that concern this user.")


def both_or_neither(schema: colander.SchemaNode, values: dict[str, Any]) -> None:
    """Reject a request with only one of the two password fields. If both are missing, the service
    generates a password (decisions D17)."""
    missing = [name for name in PASSWORDS if values[name] is None]
    if len(missing) == 1:
        refusal = colander.Invalid(schema)
        refusal[missing[0]] = REQUIRED
        raise refusal


class Invitation(Schema):
    email = node(Email(new=True))
    first_name = node(Text(1, 150))
    last_name = node(Text(1, 150))
    phone = node(Phone())
    occupation = node(Text(0, 150), missing="")
    role = node(Choice(StaffRole), missing=StaffRole.VOLUNTEER.value)
    password = node(Password(), missing=None)
    password2 = node(Password(), missing=None)

    validator = staticmethod(both_or_neither)


class Picture(Type):
    """A picture: a file in a form, or null to remove the picture.

    The string "null" also removes it, because JavaScript's FormData sends null as a string. Any
    other string is ignored: a client may send back the link that it got, and a browser sends an
    empty string if no file was chosen.
    """

    schema = {"type": "null"}  # noqa: RUF012  # a constant

    def deserialize(self, node: colander.SchemaNode, value: Any) -> Any:
        if isinstance(value, ReceivedFile):
            return value
        if value is not None and not isinstance(value, str):
            raise colander.Invalid(node, Message("This field must be a file in a form, or null."))
        return None if value in (None, "null") else colander.drop


class UserChanges(Schema):
    first_name = node(Text(1, 150), missing=drop)
    last_name = node(Text(1, 150), missing=drop)
    phone = node(Phone(), missing=drop)
    language = node(Nullable(Choice(Language)), missing=drop)
    profile_picture = node(Picture(), missing=drop)


class ProfileChanges(Schema):
    """The fields of a profile that can be changed.

    For staff, only `occupation` is used; for candidates, all other fields. The service ignores the
    rest, so clients may always send all fields.
    """

    school = node(Nullable(Text(0, 200)), missing=drop)
    occupation = node(Nullable(Text(0, 150)), missing=drop)
    year = node(Nullable(Integer(*YEARS)), missing=drop)
    group = node(Text(0, 50), missing=drop)
    external_id = node(Nullable(Text(1, 50)), missing=drop)


class AccountChanges(UserChanges, ProfileChanges):
    """Changes of an account: all fields in one object, or nested in `user` and `profile`. The
    deserialized body is flat either way (decisions F16). Its `nested` has the object that contains
    each nested field, by the name of the field."""

    user = UserChanges(missing=drop)
    profile = ProfileChanges(missing=drop)
    example = {"first_name": "Emmy", "phone": "+49 9131 1882", "school": "Hillside School"}  # noqa: RUF012  # a constant

    def deserialize(self, cstruct: Any = colander.null) -> dict[str, Any]:
        given = super().deserialize(cstruct)
        objects = {name: given.pop(name, {}) for name in ("user", "profile")}
        nested = {
            field: name
            for name, fields in objects.items()
            for field in fields
            if field not in given
        }
        return {**objects["user"], **objects["profile"], **given, "nested": nested}


class Activation(Schema):
    is_active = node(Boolean())


# Other names of columns, in English and French.
PHONE = (
    *("Phone number", "Phone no", "Telephone", "Telephone number", "Telephone no", "Mobile"),
    *("Mobile number", "Mobile no", "Mobile phone", "Cell phone", "Tel", "Tel no"),
    *("Téléphone", "Tél", "Numéro de téléphone", "Portable"),
)


class YesOrNo(Boolean):
    """A boolean in an imported table: English words such as "yes" and "false", and the French
    "oui", "vrai", "non" and "faux"."""

    problem = Message("Write yes or no.", "not_a_boolean")

    def read(self, node: colander.SchemaNode, value: Any) -> bool:
        text = value.strip().casefold() if isinstance(value, str) else value
        return super().read(
            node, {"oui": "yes", "vrai": "yes", "non": "no", "faux": "no"}.get(text, text)
        )


class YearCell(Integer):
    """A school year in an imported table."""

    problem = Message("Write only the number of the school year, such as 6.", "not_an_integer")


class PersonRow(Schema):
    first_name = node(Text(1, 150), headers=FIRST_NAME, example="Emmy")
    last_name = node(Text(1, 150), headers=LAST_NAME, example="Noether")


class CandidateRow(PersonRow):
    school = node(Text(1, 200), headers=SCHOOL, example="Hillside School")
    email = node(
        Email(),
        missing=drop,
        headers=EMAIL,
        example="emmy@school.example",
        description="The candidate's own address. Without one, the candidate gets a login.",
    )
    external_id = node(
        Text(1, 50),
        missing=drop,
        headers=NUMBER,
        example="N-1042",
        description="The number by which the school knows the candidate.",
    )
    phone = node(Phone(), missing=drop, headers=PHONE, example="+49 9131 1882")
    year = node(
        YearCell(*YEARS),
        missing=drop,
        headers=("School year", "Grade", "Year group", "Niveau", "Année"),
        example="9",
        description="The school year, from 1 to 13.",
    )
    group = node(
        Text(1, 50),
        missing=drop,
        headers=("Class", "Form", "Classe", "Groupe"),
        example="9B",
        description="The class or form within the school.",
    )
    verified = node(
        YesOrNo(),
        missing=drop,
        headers=("Verified", "Identity verified", "Vérifié"),
        example="yes",
        description="yes: the league knows the candidate, so no documents are needed.",
    )
    guardian_name = node(
        Text(1, 200),
        missing=drop,
        headers=("Guardian", "Parent", "Parent name", "Nom du tuteur", "Nom du parent"),
        example="Max Noether",
        description="The parent or guardian who has agreed, if the league needs a consent.",
    )
    guardian_email = node(
        Email(),
        missing=drop,
        headers=("Guardian e-mail", "Parent e-mail", "Parent email", "E-mail du parent"),
        example="max@home.example",
        description="The address of this parent or guardian.",
    )


class StaffRow(PersonRow):
    email = node(Email(), headers=EMAIL, example="ada@league.example")
    phone = node(Phone(), missing=drop, headers=PHONE, example="+49 9131 1882")
    occupation = node(
        Text(1, 150), missing=drop, headers=("Job", "Profession", "Métier"), example="Teacher"
    )
    role = node(
        Choice(StaffRole),
        missing=drop,
        headers=("Rank", "Rôle"),
        example="volunteer",
        description="The rank of a new member of staff. Without it, the rank is volunteer.",
    )
