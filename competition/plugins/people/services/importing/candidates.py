"""Import candidates: new accounts, and changes of known candidates.

A row is matched with a known candidate by its email address, by its school and number, or, if it
has neither address nor number, by its school and both names. See docs/decisions/contract.md.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from uuid import UUID

from sqlalchemy import any_, select

from competition.core import audit
from competition.core.database import uuids
from competition.core.errors import Invalid
from competition.core.imports import LINE, Asked, Row
from competition.core.messages import Message
from competition.core.seasons import current as seasons
from competition.core.texts import name_key
from competition.core.users import accounts, lookup, schools
from competition.core.users.lookup import Account, Accounts
from competition.core.users.models import SLIP_DOMAIN, YEARS, Candidate
from competition.core.work import Work
from competition.plugins.accounts.services import entering
from competition.plugins.accounts.services.entering import NewAccount
from competition.plugins.people.events import CandidateRowsChecked
from competition.plugins.people.services.importing.rows import (
    has_other_names,
    name_keys,
    names_a_person,
    names_of_row,
)

# The fields of a known candidate that a row changes.
CHANGED = ("first_name", "last_name", "phone", "school", "year", "group", "external_id")
# The fields of a row that the import passes on to other plugins.
OF_GUARDIANS = ("guardian_name", "guardian_email")
YEAR = re.compile(r"0?([1-9][0-9]?)(?![0-9])")
LOCK = "people.import_candidates"


def check(work: Work, asked: Asked, rows: Sequence[Row]) -> Iterator[Row]:
    """Check rows of candidates: find the account that each row is about, and record in the row its
    errors and what it would change. Yields every row (see `competition.core.imports.Check`)."""
    if asked.is_applied:
        schools.hold_names(work)
        # Candidates without email and number are known by their names, which need not be unique in
        # the database. The lock keeps two imports from creating the same candidate twice.
        work.lock(LOCK)
    lookup.name_schools(work, rows, is_chosen=True)
    named = [row for row in rows if _names_a_candidate(row)]
    if "year" not in asked.fields:
        _take_years_from_groups(named)
    by_name = [row for row in named if _is_named_by_name(row)]
    found = lookup.find(
        work,
        emails={row.values["email"] for row in named if "email" in row.values},
        numbers={row.values["external_id"] for row in named if "external_id" in row.values},
        schools={row.values["school"] for row in by_name},
        lock=asked.is_applied,
    )
    _check_named(work, rows, named, found)
    if not asked.is_applied:
        # Effects don't depend on the warnings, which were stored by the first check.
        new = [row for row in named if row.state == "new"]
        schools_of_new = {row.values["school"] for row in new}
        _warn_of_namesakes(named, lookup.find(work, schools=schools_of_new))
    yield from rows


def check_among(
    work: Work, asked: Asked, rows: Sequence[Row], found: Accounts, namesakes: Accounts
) -> Iterator[Row]:
    """Check rows of candidates against the accounts in `found` only. New rows with the names of an
    account in `namesakes` get a warning. The schools' own names have already been set in the rows.
    The caller holds the locks (`LOCK`, and the accounts)."""
    named = [row for row in rows if row.state != "invalid" and _names_a_candidate(row)]
    if "year" not in asked.fields:
        _take_years_from_groups(named)
    _check_named(work, rows, named, found)
    _warn_of_namesakes(named, namesakes)
    yield from rows


def _check_named(work: Work, rows: Sequence[Row], named: Sequence[Row], found: Accounts) -> None:
    names = _Names(found, rows)
    seen = _Seen()
    season_id = seasons.current(work).id
    for row in named:
        _check_row(row, found, names, seen)
        if row.found is not None and row.found.season < season_id:
            # Applying the row lets the candidate join the current season: that is a change, too.
            row.before["season"] = row.found.season
            row.state = "invalid" if row.errors else "changed"
            row.warnings.append(
                Message(
                    "${name} has not joined the current season, and joins it by this line. Delete"
                    " the line if this candidate does not take part.",
                    name=row.found.full_name,
                )
            )
    work.emit(CandidateRowsChecked(work, rows))


def _warn_of_namesakes(rows: Sequence[Row], found: Accounts) -> None:
    """Warn about each new row whose school has a candidate with the same names about whom no other
    row is: the row may be about this candidate, whom its address and number don't name."""
    new = [row for row in rows if row.state == "new"]
    others = {row.user_id for row in rows if row.user_id is not None}
    names = _Names(found, new)
    for row in new:
        same = [each for each in names.accounts.get(_place(row), []) if each.id not in others]
        if not same:
            continue
        first = min(same, key=lambda each: str(each.id))
        if first.has_email:
            message = Message(
                "${name} of this school has these names, and this line makes a second account. If"
                " it is the same person, use the email address or the number of the first account.",
                name=first.full_name,
            )
        else:
            message = Message(
                "${name} of this school has these names, and this line makes a second account. If"
                " it is the same person, write ${login} as the email address.",
                name=first.full_name,
                login=first.email,
            )
        row.warnings.append(message)


def _take_years_from_groups(rows: Sequence[Row]) -> None:
    """If every group begins with the number of a school year, set it as the year of the group's
    row."""
    years: list[tuple[Row, int]] = []
    for row in rows:
        if group := row.values.get("group"):
            found = YEAR.match(group)
            if found is None or not YEARS[0] <= int(found[1]) <= YEARS[1]:
                return
            years.append((row, int(found[1])))
    for row, year in years:
        row.values["year"] = year
    for row, _ in years[:1]:
        row.warnings.append(
            Message("The file has no column for the year, so the year was taken from the group.")
        )


def _names_a_candidate(row: Row) -> bool:
    """Whether a row has a first name, a last name and a school, all of them valid. A row that names
    no person is rejected."""
    if not names_a_person(row):
        return False
    lookup.check_phone(row)
    return _has_place(row)


def _is_named_by_name(row: Row) -> bool:
    return not {"email", "external_id"} & row.line.cells.keys()


class _Names:
    """Finds candidates by school and names: `accounts` lists the accounts with these names, and
    `rows` counts the rows with them. All parts are compared in the form of `name_key`."""

    def __init__(self, found: Accounts, rows: Sequence[Row]) -> None:
        self.accounts: dict[tuple[str, str, str], list[Account]] = {}
        for each in found.by_id.values():
            if each.kind == "candidate":
                place = (each.counted_key, *name_keys(each.first_name, each.last_name))
                self.accounts.setdefault(place, []).append(each)
        self.rows = Counter(_place(row) for row in rows if _has_place(row))


def _has_place(row: Row) -> bool:
    return {"first_name", "last_name", "school"} <= row.values.keys()


def _place(row: Row) -> tuple[str, str, str]:
    return (name_key(row.values["school"]), *names_of_row(row))


class _Seen:
    """For each email address, number and account, the first line that has it. Later lines with the
    same value are duplicates."""

    def __init__(self) -> None:
        self.emails: dict[str, int] = {}
        self.numbers: dict[tuple[str, str], int] = {}
        self.accounts: dict[UUID, int] = {}


def _check_row(row: Row, found: Accounts, names: _Names, seen: _Seen) -> None:
    values, line = row.values, row.line.number
    email, number = values.get("email"), values.get("external_id")
    if email is not None and seen.emails.setdefault(email, line) != line:
        row.reject(
            "email",
            Message(
                "Line ${line} has the same email address. Give each pupil a different address,"
                " or none.",
                line=seen.emails[email],
            ),
        )
        return
    if number is not None:
        key = (name_key(values["school"]), name_key(number))
        if seen.numbers.setdefault(key, line) != line:
            # Store the account's id with the line, so that the line is deleted with the account.
            same = found.with_number(number, values["school"])
            row.user_id = same and same.id
            row.reject(
                "external_id",
                Message(
                    "Line ${line} has the same number. Correct one of the two numbers.",
                    line=seen.numbers[key],
                ),
            )
            return
    account = _account(row, found, names)
    if row.state == "invalid":
        return
    if account is None:
        _check_new(row)
        return
    row.user_id = account.id
    if account.waits_for_deletion:
        row.reject(LINE, lookup.WAITS_FOR_DELETION)
        return
    if seen.accounts.setdefault(account.id, line) != line:
        lookup.twice(row, LINE, seen.accounts[account.id])
        return
    if has_other_names(row, account):
        # A candidate without an email address is known by the number, also if the row has an email
        # address.
        if email == account.email:
            message = Message(
                "This is the address of ${name}. Correct the address or the name.",
                name=account.full_name,
            )
            row.reject("email", message)
        else:
            message = Message(
                "This is the number of ${name}. Correct the number or the name.",
                name=account.full_name,
            )
            row.reject("external_id", message)
        return
    row.found = account
    _compare(row, account)


def _account(row: Row, found: Accounts, names: _Names) -> Account | None:
    """The account that a row is about. None for a new candidate, and for a row that this function
    rejects."""
    values = row.values
    email, number = values.get("email"), values.get("external_id")
    if email is None and number is None:
        place = _place(row)
        same = names.accounts.get(place, [])
        if len(same) > 1 or names.rows[place] > 1:
            row.reject(
                LINE,
                Message(
                    "There are two candidates with these names at this school. Add their numbers"
                    " (external_id), so that they can be told apart."
                ),
            )
            return None
        return same[0] if same else None
    of_email = found.by_email.get(email) if email is not None else None
    of_number = found.with_number(number, values["school"]) if number is not None else None
    if of_email is not None and of_email.kind != "candidate":
        row.reject(
            "email", Message("This is the address of a member of staff. Use another address.")
        )
        return None
    if of_email is None and email is not None and email.endswith(f"@{SLIP_DOMAIN}"):
        row.reject("email", lookup.UNKNOWN_LOGIN)
        return None
    if of_number is None:
        return of_email
    # Set the account's id even if the row is rejected below, so that the stored line is deleted
    # with the account.
    row.user_id = of_number.id
    if of_email is not None and of_email.id != of_number.id:
        row.reject(
            "external_id",
            Message(
                "The email address is that of ${one}, and the number that of ${other}."
                " Correct one of them.",
                one=of_email.full_name,
                other=of_number.full_name,
            ),
        )
        return None
    if of_email is None and email is not None:
        if of_number.has_email:
            row.reject(
                "email",
                Message(
                    "${name} has this number, and another email address. Correct the number or"
                    " the address.",
                    name=of_number.full_name,
                ),
            )
            return None
        row.warnings.append(
            Message(
                "${name} has an account without email, and an import can't add an address."
                " Leave the address empty.",
                name=of_number.full_name,
            )
        )
    return of_number


def _check_new(row: Row) -> None:
    row.state = "new"
    if email := row.values.get("email"):
        try:
            accounts.check_registrable(email)
        except Invalid as invalid:
            row.reject("email", invalid.detail)


def _compare(row: Row, account: Account) -> None:
    """Compare a row with the account that it is about, and record in the row what it would
    change."""
    new = {name: row.values[name] for name in CHANGED if name in row.values}
    old = {name: getattr(account, name) for name in new}
    # Another spelling of the same number or school is no change. Neither is another spelling of the
    # names, if the candidate was found by them.
    if _is_named_by_name(row):
        del new["first_name"], new["last_name"]
    if "external_id" in new and name_key(new["external_id"]) == account.external_id_key:
        del new["external_id"]
    # Compare with the school that counts. For an approved candidate, this is the approved school,
    # even if the candidate has typed the name of another one since.
    if name_key(new["school"]) == account.counted_key:
        del new["school"]
    if row.values.get("verified"):
        if account.verification == "rejected":
            row.warnings.append(
                Message(
                    "A manager has rejected the identity documents, so the identity will not be"
                    " approved."
                )
            )
        elif account.verification != "approved":
            new["verified"], old["verified"] = True, False
    row.change(old, new)
    lookup.check_beginnings(row)
    if "school" in new and name_key(new["school"]) != account.counted_key:
        # The new school has not given the candidate the number of the old school, so the number is
        # removed.
        if account.external_id is not None and "external_id" not in row.before:
            row.before["external_id"] = account.external_id
        row.state = "invalid" if row.errors else "changed"
        row.before.setdefault("school", account.school)


def apply(work: Work, asked: Asked, rows: Sequence[Row], *, subject: str = "") -> None:
    """Apply checked rows: create the accounts of new candidates, change known candidates, and
    approve the identities that rows vouch for (see `competition.core.imports.Apply`). `subject` is
    the subject of the audit entries about accounts."""
    new = [row for row in rows if row.state == "new"]
    accounts_of_new = [_new(row) for row in new]
    ids = entering.enter_candidates(work, accounts_of_new, invite=asked.invite, subject=subject)
    for row, user_id in zip(new, ids, strict=True):
        row.user_id = user_id
    changed = [row for row in rows if row.state == "changed"]
    known = read_again(work, rows)
    for row in changed:
        assert row.user_id is not None
        _change(work, known[row.user_id], row, subject)
    work.db.flush()
    vouched = [row for row in rows if row.values.get("verified")]
    sure = [known[row.user_id] for row in vouched if row.user_id is not None]
    accounts.vouch(work, sure, subject=subject)


def _new(row: Row) -> NewAccount:
    values = row.values
    fields = {name: values[name] for name in CHANGED if name in values}
    return NewAccount(
        email=values.get("email"),
        first_name=fields.pop("first_name"),
        last_name=fields.pop("last_name"),
        phone=fields.pop("phone", ""),
        fields=fields,
        contributed={name: values[name] for name in OF_GUARDIANS if name in values},
    )


def read_again(work: Work, rows: Sequence[Row], *, lock: bool = False) -> dict[UUID, Candidate]:
    """The candidates whom the rows are about, as they are stored now, by id."""
    ids = uuids(row.user_id for row in rows if row.user_id is not None)
    found = select(Candidate).where(Candidate.id == any_(ids))
    if lock:
        found = found.order_by(Candidate.id).with_for_update(key_share=True)
    stored = work.db.scalars(found.execution_options(populate_existing=True))
    return {each.id: each for each in stored}


def _change(work: Work, candidate: Candidate, row: Row, subject: str) -> None:
    """Change a locked candidate as the row says, and record the change in the audit trail."""
    names = [name for name in row.before if name != "verified"]
    if not names:
        return
    if "school" in names:
        accounts.change_school(work, candidate, row.values["school"], vouched=True)
    if "season" in names:
        accounts.join_season(work, candidate, seasons.current(work).id)
    for name in names:
        if name != "school" and name in row.values:
            setattr(candidate, name, row.values[name])
    candidate.updated_at = work.now
    old = {name: row.before[name] for name in names}
    new = {name: getattr(candidate, name) for name in names if name != "season"}
    if "season" in names:
        new["season"] = candidate.season_id
    audit.record(
        work,
        accounts.CHANGE,
        target=candidate.id,
        subject=subject,
        old=old,
        new=new,
        erasable=True,
    )
