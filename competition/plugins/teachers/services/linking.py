"""Link members of staff to schools, as their teachers, and end these links."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, delete, select

from competition.core import audit
from competition.core.auth.access import StaffRole
from competition.core.errors import ApiError, Invalid, NotFound
from competition.core.imports import Asked, Row
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.messages import Message
from competition.core.users import accounts, lookup, schools
from competition.core.users.models import Staff, User
from competition.core.work import Work
from competition.plugins.accounts.services import registration
from competition.plugins.accounts.services.accounts import is_abandoned
from competition.plugins.people.services.importing.rows import names_a_person, repeats_address
from competition.plugins.schools.models import School
from competition.plugins.schools.services import reading
from competition.plugins.teachers.models import Link, Teacher

ORDERING = {
    "last_name": Staff.last_name,
    "email": Staff.email,
    "created_at": Teacher.created_at,
}
LINK, UNLINK = "teacher.link", "teacher.unlink"


def school(work: Work, school_id: int, **path: Any) -> School:
    """Guard: the school. Raises NotFound if there is none."""
    return reading.one(work, school_id)


def school_of(work: Work, user_id: UUID) -> str | None:
    """The name of the school whose teacher the user is, or None if the user is no teacher."""
    return work.db.scalar(
        select(School.name)
        .join(Teacher, Teacher.school_id == School.id)
        .where(Teacher.user_id == user_id)
    )


def add(work: Work, school: School, fields: Mapping[str, Any]) -> tuple[Link, bool]:
    """Make a person a teacher of a school. Returns the link, and whether it is new.

    A person without an account is invited (decisions D17). The identity is approved on the caller's
    word. Raises Invalid, about the field `email`, if the account can't be that of a teacher.
    """
    # Keep the school from being merged or deleted until the commit.
    work.lock(schools.LOCK, shared=True)
    school = reading.one(work, school.id)
    user = _account(work, fields["email"], lock=True)
    staff = None
    if user is None:
        try:
            with work.db.begin_nested():
                staff = _invite(work, fields)
        except Invalid:
            # Another transaction may have created the account in the meantime.
            user = _account(work, fields["email"], lock=True)
            if user is None:
                raise
    if staff is None:
        assert user is not None
        _check(work, user, school)
        assert isinstance(user, Staff)
        staff = user
    known = work.db.get(Teacher, staff.id)
    if known is not None:
        return Link(known, staff, school), False
    accounts.vouch(work, [staff])
    teacher = Teacher(
        user_id=staff.id,
        school_id=school.id,
        invited_by_id=work.identity.user_id,
        created_at=work.now,
    )
    work.db.add(teacher)
    if not school.is_listed:
        school.is_listed = True
    audit.record(work, LINK, target=staff.id, subject=f"school {school.id}")
    work.db.flush()
    return Link(teacher, staff, school), True


def _invite(work: Work, fields: Mapping[str, Any]) -> Staff:
    new = {**fields, "role": StaffRole.VOLUNTEER, "occupation": "", "password": None}
    return registration.invite_staff(work, {"language": None, "password2": None, **new})


def _account(work: Work, email: str, *, lock: bool = False) -> User | None:
    found = select(User).where(User.email == email, ~is_abandoned(work))
    if lock:
        found = found.with_for_update(key_share=True).execution_options(populate_existing=True)
    return work.db.scalar(found)


def _check(work: Work, user: User, school: School) -> None:
    """Raise Invalid if the owner of this account can't become a teacher of the school."""
    linked = work.db.get(Teacher, user.id)
    if user.kind != "staff":
        problem = Message("This is the address of a candidate. Use another address.")
    elif user.role != StaffRole.VOLUNTEER:
        problem = Message(
            "Only volunteers can be teachers. This member of staff has another role."
            " Use another email address, or change the role first."
        )
    elif not user.is_active:
        problem = Message("This account is deactivated. Activate it first.")
    elif not user.is_email_verified and not user.is_invited:
        # Anyone can register an account with another person's address.
        problem = Message(
            "This address was registered, but not verified. Ask the owner of the"
            " address to verify it first."
        )
    elif linked is not None and linked.school_id != school.id:
        problem = Message(
            "This person is a teacher of another school. Remove them as a teacher there first."
        )
    elif linked is None and user.verification == "rejected":
        # Vouching for a teacher does not undo a manager's decision about the documents.
        problem = Message(
            "The identity documents of this person were rejected. The person must send others in"
            " the console. After that, add the person again."
        )
    else:
        return
    raise Invalid.field("email", problem)


def page_of_teachers(work: Work, school: School, query: Query) -> Page[Link]:
    """A page of the teachers of a school, newest first. Names and addresses are searched."""
    statement = (
        select(Teacher, Staff)
        .join(Staff, Staff.id == Teacher.user_id)
        .where(Teacher.school_id == school.id)
        .where(*contains_every_word(query["search"], User.search_text))
    )
    page: Page[Any] = paginate(
        work,
        statement,
        query,
        key=Teacher.user_id,
        created=Teacher.created_at,
        ordering=ORDERING,
    )
    return page.map(lambda row: Link(row[0], row[1], school))


def remove(work: Work, school: School, user_id: UUID) -> None:
    """End the rights of a teacher at once. Raises NotFound if the user is no teacher of the
    school."""
    if not end(work, user_id, Teacher.school_id == school.id):
        raise NotFound


def end(work: Work, user_id: UUID, *conditions: ColumnElement[bool]) -> bool:
    """End the link of a user to a school. Returns False if there is no link that meets the
    conditions."""
    links = delete(Teacher).where(Teacher.user_id == user_id, *conditions)
    ended = work.db.scalar(links.returning(Teacher.school_id))
    if ended is not None:
        audit.record(work, UNLINK, target=user_id, subject=f"school {ended}")
    return ended is not None


def check(work: Work, asked: Asked, rows: Sequence[Row]) -> Iterator[Row]:
    """Check rows of teachers: find the school and the account of each row, and record in the row
    its errors and whether the link is new. Yields every row (see `competition.core.imports.Check`).
    """
    if asked.is_applied:
        work.lock(schools.LOCK, shared=True)
    lookup.name_schools(work, rows)
    seen: dict[str, int] = {}
    for row in rows:
        if names_a_person(row) and {"email", "school"} <= row.values.keys():
            _check_row(work, asked, row, seen)
        yield row


def _check_row(work: Work, asked: Asked, row: Row, seen: dict[str, int]) -> None:
    email = row.values["email"]
    if repeats_address(row, seen):
        return
    lookup.check_phone(row)
    school = reading.by_key(work, row.values["school"])
    if school is None:
        row.reject(
            "school",
            Message(
                "There is no school with this name, alias or code. "
                "Check the spelling, or create the school."
            ),
        )
        return
    row.found = school
    user = _account(work, email, lock=asked.is_applied)
    try:
        if user is None:
            accounts.check_registrable(email)
        else:
            _check(work, user, school)
    except ApiError as error:
        [message] = (error.errors or {}).get("email", [error.detail])
        row.reject("email", message)
        return
    if user is not None:
        row.user_id = user.id
    if row.state == "invalid":
        return
    if user is None or work.db.get(Teacher, user.id) is None:
        row.state = "new"


def apply(work: Work, asked: Asked, rows: Sequence[Row]) -> None:
    """Apply checked rows: make each person a teacher of the row's school (see
    `competition.core.imports.Apply`)."""
    for row in rows:
        fields = {name: row.values[name] for name in ("email", "first_name", "last_name")}
        link, _ = add(work, row.found, {**fields, "phone": row.values.get("phone", "")})
        row.user_id = link.user.id
