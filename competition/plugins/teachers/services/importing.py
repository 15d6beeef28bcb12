"""Import the pupils of a school, by the rules for imports of candidates, but only among the
school's candidates.

A teacher learns nothing about other candidates. If a row has the address or the number of one of
them, its error only says that the address or the number is in use.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import any_, func, select
from sqlalchemy.exc import IntegrityError

from competition.core.database import uuids
from competition.core.errors import Invalid, NotFound
from competition.core.imports import LINE, Asked, Line, Row
from competition.core.messages import Message
from competition.core.users import accounts, lookup, schools
from competition.core.users.lookup import Account, Accounts
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.people.services.importing import candidates
from competition.plugins.people.services.importing.rows import (
    has_other_names,
    name_keys,
    names_of_row,
)
from competition.plugins.schools.models import School
from competition.plugins.schools.services import reading
from competition.plugins.teachers import TeachersSettings
from competition.plugins.teachers.models import Pupil
from competition.plugins.teachers.services import pupils, teachers

IN_USE = Message("This address is in use. Use another address.")
MERGED = Message("Your school was merged or deleted. Send the file again.")
NUMBER_IN_USE = Message("This number is in use. Use another number.")
UNCONFIRMED = Message(
    "A candidate with these names has registered for your school. Confirm or refuse this candidate"
    " first."
)
# Warnings about another candidate with the same names, after a pupil was entered or confirmed.
SAME_NAMES = {
    "ours": Message(
        "Your school has another pupil with these names. If both are the same person, remove the"
        " account that the pupil does not use."
    ),
    "unconfirmed": Message(
        "Another candidate with these names has registered for your school. If both are the same"
        " person, keep only one of the two accounts."
    ),
    "removed": Message(
        "You have removed a pupil with these names before. If both are the same person, remove this"
        " account and take the pupil back."
    ),
    "refused": Message(
        "Your school has refused a candidate with these names. If both are the same person, remove"
        " this account and ask the organisers."
    ),
}
# Fields whose old values a teacher doesn't see. New values are from the school's file.
HIDDEN = ("email", "phone")
# The old values that a teacher sees of a pupil whom the school has removed.
SHOWN_OF_REMOVED = ("state", "year")
# What applying a row does with a known candidate.
CONFIRM, TAKE_BACK = "confirm", "take back"


@dataclass(frozen=True)
class Effect:
    """What applying a row does with a known candidate. `before` has the old values of all fields
    that the row changes, also of those that the teacher does not see."""

    act: str | None
    before: Mapping[str, Any]


@dataclass(frozen=True)
class Known:
    """The candidates whom the rows may name: the school's own pupils, pupils whom it has removed,
    and candidates who have only typed its name. Candidates whom it has refused can't be named, but
    a new pupil may be one of them. `names` has the keys of their names, by the name of the field.
    """

    ours: set[UUID]
    removed: set[UUID]
    refused: set[UUID]
    unconfirmed: set[UUID]
    names: Mapping[str, set[tuple[str, str]]]

    def all_of_school(self) -> set[UUID]:
        return self.ours | self.removed


def check(work: Work, asked: Asked, rows: Sequence[Row]) -> Iterator[Row]:
    """Check rows of pupils: find the candidate of the school that each row is about, and record in
    the row its errors and what it would change. Yields every row (see
    `competition.core.imports.Check`)."""
    if asked.is_applied:
        work.lock(schools.LOCK, shared=True)
        work.lock(candidates.LOCK)
    school = _school(work, asked)
    for row in rows:
        row.values["school"] = school.name
    found = lookup.find(
        work,
        emails={row.values["email"] for row in rows if "email" in row.values},
        schools={school.name},
        lock=asked.is_applied,
    )
    known = _known(work, school, found)
    own = _only(found, known.all_of_school())
    for row in rows:
        _check_before(row, school, found, known)
    rest = [row for row in rows if row.found != CONFIRM]
    # The rest are checked like rows of candidates, but only among the school's own pupils.
    ours = _only(found, known.ours)
    for row in candidates.check_among(work, asked, rest, own, ours):
        if row.found is not None and row.state != "invalid":
            _check_known(row, known)
        elif row.state == "new":
            _warn_of_namesakes(row, known)
    _check_changes(work, rest)
    _check_twice(rows)
    _check_number(work, school, rows)
    for row in rows:
        row.values.pop("school", None)
        row.before.pop("school", None)
        if row.state == "changed" and not row.before:
            row.state = "unchanged"
        row.found = Effect(row.found if row.found in (CONFIRM, TAKE_BACK) else None, row.before)
        row.before = _shown(row)
    yield from rows


def _school(work: Work, asked: Asked) -> School:
    """The school of an import. Raises Invalid if there is no such school any longer."""
    assert asked.scope is not None, asked
    try:
        return reading.one(work, asked.scope)
    except NotFound:
        raise Invalid(MERGED) from None


def _known(work: Work, school: School, found: Accounts) -> Known:
    ids = uuids(found.by_id)
    ties = work.db.execute(
        select(Pupil.user_id, Pupil.tie)
        .join(Candidate, Candidate.id == Pupil.user_id)
        .where(Pupil.user_id == any_(ids), Pupil.school_id == school.id, pupils.is_of(school))
    )
    of_tie: dict[str, set[UUID]] = {"ours": set(), "removed": set(), "refused": set()}
    for user_id, tie in ties:
        of_tie[tie].add(user_id)
    typed = work.db.scalars(
        select(Candidate.id).where(Candidate.id == any_(ids), pupils.is_unconfirmed(school))
    )
    of_tie["unconfirmed"] = {*typed}
    names = {tie: _names_of(found, user_ids) for tie, user_ids in of_tie.items()}
    return Known(**of_tie, names=names)


def _only(found: Accounts, ids: Collection[UUID]) -> Accounts:
    """The accounts in `found` that have one of these ids."""
    return Accounts(
        {user_id: each for user_id, each in found.by_id.items() if user_id in ids},
        {email: each for email, each in found.by_email.items() if each.id in ids},
        {
            number: [each for each in several if each.id in ids]
            for number, several in found.by_number.items()
        },
    )


def _shown(row: Row) -> dict[str, Any]:
    """The old values of a row's candidate that the teacher may see."""
    before = {**row.before, **{name: "" for name in HIDDEN if name in row.before}}
    if row.found.act == TAKE_BACK:
        return {name: value for name, value in before.items() if name in SHOWN_OF_REMOVED}
    return before


def _names_of(found: Accounts, ids: Collection[UUID]) -> set[tuple[str, str]]:
    accounts_of = (found.by_id[each] for each in ids)
    return {name_keys(each.first_name, each.last_name) for each in accounts_of}


def _check_before(row: Row, school: School, found: Accounts, known: Known) -> None:
    """Reject a row about a candidate who is no pupil of the school. If the candidate has typed the
    name of the school and the row has the candidate's address, the row confirms the candidate
    instead."""
    values = row.values
    email, number = values.get("email"), values.get("external_id")
    if email is not None:
        account = found.by_email.get(email)
        if account is not None and account.id not in known.all_of_school():
            if account.id in known.unconfirmed:
                _confirm(row, account)
            else:
                row.reject("email", IN_USE)
            return
    if number is not None and any(
        # The addresses in other rows may have found candidates of other schools. Whether one of
        # them has this number is not to be seen.
        each.counted_key == school.key and each.id not in known.all_of_school()
        for each in found.of_number(number)
    ):
        row.reject("external_id", NUMBER_IN_USE)
        return
    if email is None and number is None and {"first_name", "last_name"} <= values.keys():
        names = names_of_row(row)
        if names in known.names["unconfirmed"]:
            row.reject(LINE, UNCONFIRMED)
        elif names in known.names["removed"]:
            row.reject(
                LINE,
                Message(
                    "You have removed a pupil with these names. Take the pupil back, or add a"
                    " number (external_id)."
                ),
            )


def _warn_of_namesakes(row: Row, known: Known) -> None:
    """Warn about a new row with the names of a candidate who is no pupil of the school, but whose
    name the teacher may see, or has seen."""
    names = names_of_row(row)
    if names in known.names["unconfirmed"]:
        row.warnings.append(UNCONFIRMED)
    elif names in known.names["removed"]:
        row.warnings.append(
            Message(
                "You have removed a pupil with these names, and this line makes a second account."
                " If it is the same person, take the pupil back first."
            )
        )
    elif names in known.names["refused"]:
        row.warnings.append(
            Message(
                "Your school has refused a candidate with these names, and this line makes a second"
                " account. If it is the same person, delete the line and ask the organisers."
            )
        )


def namesakes(work: Work, school: School, user_id: UUID, *, is_new: bool) -> list[str]:
    """Warnings about other candidates of the school with the names of a pupil, who may be the same
    person.

    Candidates whom the school has removed or refused only count if the pupil's account is new: the
    teacher may have chosen between two accounts of one person.
    """
    found = lookup.find(work, schools={school.name})
    known = _known(work, school, found)
    [names] = _names_of(found, {user_id})
    others = {"ours": known.ours, "unconfirmed": known.unconfirmed}
    if is_new:
        others |= {"removed": known.removed, "refused": known.refused}
    return [
        SAME_NAMES[tie] for tie, ids in others.items() if names in _names_of(found, ids - {user_id})
    ]


def _confirm(row: Row, account: Account) -> None:
    """Let a row confirm a candidate who has typed the name of the school. The row changes no value
    of the account."""
    if row.errors or not {"first_name", "last_name"} <= row.values.keys():
        return
    if has_other_names(row, account):
        row.reject("email", IN_USE)
        return
    row.user_id = account.id
    row.found = CONFIRM
    row.state = "changed"
    row.before = {"state": "unconfirmed"}


def _check_known(row: Row, known: Known) -> None:
    """Mark a row that names a removed pupil by number or email, so that applying it takes the pupil
    back."""
    if row.user_id in known.removed:
        row.found = TAKE_BACK
        row.state = "changed"
        row.before["state"] = "removed"


def _check_changes(work: Work, rows: Sequence[Row]) -> None:
    """Reject changes that a teacher may not make."""
    changed = {row.user_id: row for row in rows if row.user_id is not None and row.before}
    changes = {user_id: row.before for user_id, row in changed.items()}
    for user_id, problems in pupils.refused(work, changes).items():
        for name, message in problems.items():
            changed[user_id].reject(name, message)


def _check_twice(rows: Sequence[Row]) -> None:
    """Reject a row about a candidate whom an earlier valid row is already about."""
    seen: dict[UUID, int] = {}
    for row in rows:
        if row.user_id is not None and row.state != "invalid":
            line = seen.setdefault(row.user_id, row.line.number)
            if line != row.line.number:
                lookup.twice(row, LINE, line)


def _check_number(work: Work, school: School, rows: Sequence[Row]) -> None:
    """Reject new rows beyond the number of pupils that a school can enter."""
    most = work.settings[TeachersSettings].most_pupils
    left = most - pupils.count_entered(work, school)
    for row in rows:
        if row.state == "new":
            left -= 1
            if left < 0:
                row.reject(
                    LINE,
                    Message(
                        "A school can enter at most ${most} pupils. Ask the organisers to enter"
                        " more.",
                        most=most,
                    ),
                )


def apply(work: Work, asked: Asked, rows: Sequence[Row]) -> None:
    """Apply checked rows: enter new pupils, change known ones, confirm candidates, and take removed
    pupils back (see `competition.core.imports.Apply`)."""
    school = _school(work, asked)
    again = [row.user_id for row in rows if row.found.act is not None]
    others = [row for row in rows if row.found.act != CONFIRM]
    for row in others:
        row.before = {name: old for name, old in row.found.before.items() if name != "state"}
        row.values["school"] = school.name
    subject = teachers.subject(school)
    candidates.apply(work, asked, others, subject=subject)
    known = candidates.read_again(work, rows, lock=True)
    pupils.take(work, school, [known[each] for each in again if each is not None])
    new = [row.user_id for row in rows if row.state == "new" and row.user_id is not None]
    pupils.enter(work, school, new)
    if work.settings[TeachersSettings].verify:
        accounts.vouch(work, [known[each] for each in new], subject=subject)
    for row in others:
        row.values.pop("school", None)


def enter_one(work: Work, school: School, values: Mapping[str, Any]) -> tuple[UUID, list[str]]:
    """Enter a pupil by hand, as one row of an import. Returns the pupil's id, and warnings.

    Raises Invalid with the messages that the row would have, and NotFound if the school has been
    merged or deleted in the meantime.
    """
    work.lock(schools.LOCK, shared=True)
    reading.one(work, school.id)
    row = Row(Line(1, {name: str(value) for name, value in values.items()}), dict(values))
    fields = frozenset({*values, "year"})
    asked = Asked(0, None, fields, is_applied=True, scope=school.id)
    for _ in check(work, asked, [row]):
        if row.errors:
            errors: dict[str, Any] = {
                ("last_name" if name == LINE else name): messages
                for name, messages in row.errors.items()
            }
            [first, *_] = next(iter(errors.values()))
            raise Invalid(first, errors=errors)
    if row.state in ("new", "changed"):
        try:
            apply(work, asked, [row])
            work.db.flush()
        except IntegrityError as error:
            # Another request has used the address or the number in the meantime.
            is_number = "external_id" in str(error.orig)
            name, why = ("external_id", NUMBER_IN_USE) if is_number else ("email", IN_USE)
            raise Invalid.field(name, why) from None
    assert row.user_id is not None
    if row.state == "new":
        return row.user_id, namesakes(work, school, row.user_id, is_new=True)
    return row.user_id, row.warnings


def missing(work: Work, asked: Asked, named: Collection[UUID]) -> int:
    """How many of the school's own pupils in the current season an import does not name."""
    school = _school(work, asked)
    left = select(func.count()).select_from(Candidate).where(pupils.is_own_now(school))
    return work.db.scalar(left.where(~(Candidate.id == any_(uuids(named))))) or 0
