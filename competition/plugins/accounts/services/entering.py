"""Create many accounts at once, on behalf of staff.

A candidate without an email address gets a login, which is the account's email at a domain without
mailboxes (`slips`). Nobody can log in to a new account before a password is set.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import ARRAY, String, and_, any_, func, insert, literal, select

from competition.core import audit
from competition.core.auth.access import CandidateRole
from competition.core.mail import mails
from competition.core.texts import name_key
from competition.core.users import accounts
from competition.core.users.models import Candidate, Staff, User, candidate_number
from competition.core.work import Work
from competition.plugins.accounts.events import AccountsRegistered
from competition.plugins.accounts.services import slips
from competition.plugins.accounts.services.accounts import is_abandoned
from competition.plugins.accounts.services.passwords import NO_PASSWORD

# How many accounts one statement inserts.
CHUNK = 1_000


@dataclass(frozen=True)
class NewAccount:
    """An account to create. If `email` is None, the account gets a login instead. `fields` has the
    values of further columns of the user, and `contributed` has the values that other plugins
    store."""

    email: str | None
    first_name: str
    last_name: str
    fields: Mapping[str, Any]
    phone: str = ""
    contributed: Mapping[str, Any] = field(default_factory=dict)


def enter_candidates(
    work: Work, new: Sequence[NewAccount], *, invite: bool, subject: str = ""
) -> list[UUID]:
    """Create accounts of candidates in the first stage, and return their ids in the same order.

    With `invite`, each new candidate who has an email address gets an email that says how to set a
    password. `subject` is the subject of the audit entries. PostgreSQL raises an IntegrityError if
    an address is taken, or if another candidate of the school has the same `external_id`.
    """
    count = func.generate_series(1, len(new)).table_valued("n")
    numbers = work.db.scalars(select(func.next_value(candidate_number)).select_from(count)).all()
    logins = iter(_new_logins(work, sum(1 for each in new if each.email is None)))
    rows = []
    for each, number in zip(new, numbers, strict=True):
        school, external_id = each.fields["school"], each.fields.get("external_id")
        row = {
            **_columns(work, each, each.email or next(logins)),
            "role": CandidateRole.SCREENING,
            "is_email_verified": each.email is None,
            "number": number,
            "year": each.fields.get("year"),
            "group": each.fields.get("group", ""),
            "school": school,
            "school_key": name_key(school),
            "external_id": external_id,
            "external_id_key": external_id and name_key(external_id),
        }
        rows.append(row)
    ids = _enter(work, Candidate, new, rows, subject)
    emails = [each.email for each in new if each.email is not None]
    if invite and emails:
        batch = uuid4()
        mails.add(work, batch, "accounts.entered", emails)
        mails.dispatch(work, batch)
    return ids


def enter_staff(work: Work, new: Sequence[NewAccount], *, invite: bool) -> list[UUID]:
    """Create accounts of invited staff, and return their ids in the same order. With `invite`, each
    gets an email with a generated password (decisions D17).

    PostgreSQL raises an IntegrityError if an address is taken.
    """
    rows = []
    for each in new:
        assert each.email is not None, each
        row = {
            **_columns(work, each, each.email),
            "role": each.fields["role"],
            "occupation": each.fields.get("occupation", ""),
            "is_invited": True,
            "password_is_generated": invite,
        }
        rows.append(row)
    ids = _enter(work, Staff, new, rows)
    if invite:
        for row in rows:
            mails.send(work, "accounts.invitation", row["email"], user_id=str(row["id"]))
    return ids


def _columns(work: Work, new: NewAccount, email: str) -> dict[str, Any]:
    return {
        "id": uuid4(),
        "email": email,
        "password_hash": NO_PASSWORD,
        "first_name": new.first_name,
        "last_name": new.last_name,
        "phone": new.phone,
        "date_joined": work.now,
        "updated_at": work.now,
    }


def _enter(
    work: Work,
    kind: type[Candidate] | type[Staff],
    new: Sequence[NewAccount],
    rows: Sequence[dict[str, Any]],
    subject: str = "",
) -> list[UUID]:
    taken = literal([row["email"] for row in rows], ARRAY(String))
    accounts.delete_all(work, and_(User.email == any_(taken), is_abandoned(work)))
    for at in range(0, len(rows), CHUNK):
        work.db.execute(insert(kind), rows[at : at + CHUNK])
    ids: list[UUID] = [row["id"] for row in rows]
    audit.record_each(work, "account.enter", ids, subject=subject)
    contributed = {row["id"]: each.contributed for row, each in zip(rows, new, strict=True)}
    work.emit(AccountsRegistered(work, "staff" if kind is Staff else "candidate", contributed))
    return ids


def _new_logins(work: Work, count: int) -> Collection[str]:
    """`count` new logins for accounts without an email address: random addresses at `SLIP_DOMAIN`,
    none of which is in use."""
    found: set[str] = set()
    while len(found) < count:
        more = {slips.new_address() for _ in range(count - len(found))}
        in_use = select(User.email).where(User.email == any_(literal([*more], ARRAY(String))))
        found |= more - {*work.db.scalars(in_use)}
    return found
