"""Find the accounts that the rows of an import name, in a few statements for all rows."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Row, String, any_, func, literal, select

from competition.core import imports
from competition.core.audit import ERASED_DOMAIN
from competition.core.database import uuids
from competition.core.messages import Message
from competition.core.texts import name_key, without_accents
from competition.core.users import schools
from competition.core.users.models import JOINED_SEASON, SLIP_DOMAIN, USERS
from competition.core.work import Work

ERASED = f"@{ERASED_DOMAIN}"
UNKNOWN_LOGIN = Message("There is no account with this login. Check the login.")
WAITS_FOR_DELETION = Message(
    "This person's account is waiting for its deletion. Cancel the deletion first, or leave this"
    " line out."
)
# The columns are those of the table, because a query with columns of Candidate finds no staff.
COUNTED_KEY = func.coalesce(USERS.c.approved_school_key, USERS.c.school_key)
COLUMNS = (
    *(USERS.c[name] for name in ("id", "kind", "email", "first_name", "last_name", "phone")),
    *(USERS.c[name] for name in ("school", "year", "group", "external_id", "external_id_key")),
    *(USERS.c[name] for name in ("role", "is_active", "status", "verification", "occupation")),
    USERS.c.school_key,
    USERS.c.waits_for_deletion,
    JOINED_SEASON,
    COUNTED_KEY.label("counted_key"),
    USERS.c.email.not_like(f"%@{SLIP_DOMAIN}").label("has_email"),
    (USERS.c.first_name + " " + USERS.c.last_name).label("full_name"),
)
Account = Row[Any]
WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Accounts:
    """Accounts by their ids, their email addresses, and the keys of their numbers at schools
    (`external_id`). Several schools can have given the same number."""

    by_id: dict[UUID, Account]
    by_email: dict[str, Account]
    by_number: dict[str, list[Account]]

    def with_number(self, number: str, school: str) -> Account | None:
        """The candidate whom this school knows by this number, or None."""
        key = name_key(school)
        found = (each for each in self.of_number(number) if each.counted_key == key)
        return next(found, None)

    def of_number(self, number: str) -> Sequence[Account]:
        """The candidates whom any school knows by this number."""
        return self.by_number.get(name_key(number), ())


def find(
    work: Work,
    *,
    ids: Collection[UUID] = (),
    emails: Collection[str] = (),
    numbers: Collection[str] = (),
    schools: Collection[str] = (),
    lock: bool = False,
) -> Accounts:
    """The accounts with these ids or email addresses, the candidates with one of these numbers at
    any school, and all candidates of these schools. Erased accounts are left out.

    With `lock`, the accounts are locked until the commit. This does not keep other transactions
    from creating further accounts with the same values.
    """
    conditions = [
        USERS.c.id == any_(uuids(ids)) if ids else None,
        USERS.c.email == any_(_texts(emails)) if emails else None,
        USERS.c.external_id_key == any_(_texts(map(name_key, numbers))) if numbers else None,
        any_(_texts(map(name_key, schools))) == COUNTED_KEY if schools else None,
    ]
    found: dict[UUID, Account] = {}
    for condition in conditions:
        if condition is not None:
            found |= {row.id: row for row in work.db.execute(select(*COLUMNS).where(condition))}
    if lock and found:
        statement = select(*COLUMNS).where(USERS.c.id == any_(uuids(found))).order_by(USERS.c.id)
        locked = work.db.execute(statement.with_for_update(key_share=True))
        found = {row.id: row for row in locked}
    # Leave out erased accounts, because an import must not change them.
    found = {each.id: each for each in found.values() if not each.email.endswith(ERASED)}
    by_number: defaultdict[str, list[Account]] = defaultdict(list)
    for each in found.values():
        if each.external_id_key is not None:
            by_number[each.external_id_key].append(each)
    return Accounts(found, {each.email: each for each in found.values()}, by_number)


def _texts(values: Iterable[str]) -> Any:
    return literal([*values], ARRAY(String))


def name_schools(work: Work, rows: Sequence[imports.Row], *, is_chosen: bool = False) -> None:
    """Replace the names of schools in the rows, which may be aliases or codes, with the schools'
    own names. With `is_chosen`, reject rows with a school that candidates can't choose."""
    named = [row for row in rows if "school" in row.values]
    names = {row.values["school"] for row in named}
    own = schools.own_names(work, names)
    refused = schools.refused(work, names) if is_chosen else ()
    for row in named:
        if row.values["school"] in refused:
            row.reject("school", schools.NOT_LISTED)
        row.values["school"] = own[row.values["school"]]


def of_rows(work: Work, rows: Sequence[imports.Row], *, lock: bool) -> Accounts:
    """The accounts that rows name by `candidate_id`, `email` and `external_id`. This also replaces
    the names of schools in the rows with the schools' own names."""
    name_schools(work, rows)

    def values(name: str) -> set[Any]:
        return {row.values[name] for row in rows if row.values.get(name)}

    return find(
        work,
        ids=values("candidate_id"),
        emails=values("email"),
        numbers=values("external_id"),
        lock=lock,
    )


def candidate(row: imports.Row, accounts: Accounts) -> Account | None:
    """The candidate whom a row names by `candidate_id`, `email`, or `external_id` with `school`.
    The candidate's id becomes `row.user_id`. If the row has a name, and it is not the candidate's,
    the row gets a warning.

    If the row does not name exactly one candidate, this rejects the row and returns None. If the
    candidate's account waits for its deletion, this rejects the row and returns the candidate.
    """
    named: dict[str, Account] = {}
    values = row.values
    if user_id := values.get("candidate_id"):
        found = accounts.by_id.get(user_id)
        if found is None or found.kind != "candidate":
            row.reject("candidate_id", Message("There is no candidate with this id. Check the id."))
        else:
            named["candidate_id"] = found
    if email := values.get("email"):
        found = accounts.by_email.get(email)
        if found is None:
            row.reject("email", unknown_address(email))
        elif found.kind != "candidate":
            row.reject(
                "email", Message("This is the address of a member of staff. Use another address.")
            )
        else:
            named["email"] = found
    if number := values.get("external_id"):
        found = _with_number(row, accounts, number, values.get("school"))
        if found is not None:
            named["external_id"] = found
    if row.errors:
        return None
    if not named:
        row.reject(
            imports.LINE,
            Message(
                "This line names no candidate. Add the candidate's email address, number"
                " (external_id) or id."
            ),
        )
        return None
    if len({each.id for each in named.values()}) > 1:
        row.reject(
            [*named][-1],
            Message(
                "This line names two candidates. Correct the email address, the number or the id."
            ),
        )
        return None
    found = next(iter(named.values()))
    row.user_id = found.id
    _compare_names(row, found)
    if found.waits_for_deletion:
        row.reject(imports.LINE, WAITS_FOR_DELETION)
    return found


def _compare_names(row: imports.Row, account: Account) -> None:
    """Warn if the names in a row are not those of the account: the names and the numbers of a list
    may have been shifted against each other. The order of the names and missing names, such as
    middle names, make no difference."""
    names = (row.values.get(each, "") for each in ("name", "first_name", "last_name"))
    given, own = _words(" ".join(names)), _words(account.full_name)
    if not (given <= own or own <= given):
        row.warnings.append(
            Message(
                "The id, the address or the number in this line is that of ${name}, but the line"
                " has another name. Check the line.",
                name=account.full_name,
            )
        )


def _words(name: str) -> set[str]:
    return {*WORD.findall(without_accents(name_key(name)))}


def unknown_address(email: str) -> str:
    """The message for an address that no account has."""
    if email.endswith(f"@{SLIP_DOMAIN}"):
        return UNKNOWN_LOGIN
    return Message("There is no candidate with this email address. Check the address.")


def _with_number(
    row: imports.Row, accounts: Accounts, number: str, school: str | None
) -> Account | None:
    if school is not None:
        found = accounts.with_number(number, school)
        if found is None:
            row.reject(
                "external_id",
                Message(
                    "No candidate of this school has this number. Check the number and the school."
                ),
            )
        return found
    several = accounts.of_number(number)
    if len(several) == 1:
        return several[0]
    if several:
        row.reject(
            "school", Message("Several schools have a candidate with this number. Name the school.")
        )
    else:
        row.reject(
            "external_id", Message("There is no candidate with this number. Check the number.")
        )
    return None


def check_phone(row: imports.Row) -> None:
    """Warn about a phone number that a spreadsheet has stored as a number."""
    if row.line.types.get("phone") == "number" and "phone" in row.values:
        row.warnings.append(
            Message("The phone number is stored as a number. Has it lost a zero at its beginning?")
        )


def check_beginnings(row: imports.Row) -> None:
    """Warn about a phone number or a number of a school that a row would change only at its
    beginning. Call this when `row.before` is set."""
    for name in ("phone", "external_id"):
        old, new = row.before.get(name), row.values.get(name)
        if old is None or new is None or (name == "phone" and row.line.types.get(name)):
            # `check_phone` warns about a phone number that is stored as a number.
            continue
        if len(new) < len(old) and new == old.lstrip("+0"):
            row.warnings.append(
                Message(
                    "${field} would lose the zeros or the + at its beginning. A spreadsheet removes"
                    " them when it opens a text file. Correct the cell, or leave it empty.",
                    field=name,
                )
            )


def twice(row: imports.Row, field: str, line: int) -> None:
    """Reject a row about a person whom an earlier line, with the number `line`, names too."""
    row.reject(
        field,
        Message("Line ${line} is about the same person. Delete one of the two lines.", line=line),
    )
