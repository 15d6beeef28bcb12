"""Import staff: invitations, and changes of known staff (decisions D17, F13, F15)."""

from collections.abc import Iterator, Sequence

from sqlalchemy import any_, select

from competition.core import audit
from competition.core.audit import security_log
from competition.core.auth.access import StaffRole
from competition.core.database import uuids
from competition.core.errors import ApiError, Invalid
from competition.core.imports import Asked, Row
from competition.core.messages import Message
from competition.core.users import accounts, lookup
from competition.core.users.lookup import Account
from competition.core.users.models import SLIP_DOMAIN, Staff
from competition.core.work import Work
from competition.plugins.accounts.services import entering
from competition.plugins.accounts.services.entering import NewAccount
from competition.plugins.accounts.services.registration import INVITE
from competition.plugins.people.services.accounts import check_may_change
from competition.plugins.people.services.importing.rows import names_a_person, repeats_address
from competition.plugins.people.services.roles import check_may_give

CHANGED = ("first_name", "last_name", "phone", "occupation")


def check(work: Work, asked: Asked, rows: Sequence[Row]) -> Iterator[Row]:
    """Check rows of staff: find the account with each row's email address, and record in the row
    its errors and what it would change. Yields every row (see
    `competition.core.imports.Check`)."""
    emails = {row.values["email"] for row in rows if "email" in row.values}
    found = lookup.find(work, emails=emails, lock=asked.is_applied)
    seen: dict[str, int] = {}
    for row in rows:
        if names_a_person(row) and "email" in row.values:
            _check_row(work, row, found.by_email.get(row.values["email"]), seen)
        yield row


def _check_row(work: Work, row: Row, account: Account | None, seen: dict[str, int]) -> None:
    email = row.values["email"]
    if repeats_address(row, seen):
        return
    lookup.check_phone(row)
    try:
        if account is None:
            if email.endswith(f"@{SLIP_DOMAIN}"):
                raise Invalid(lookup.UNKNOWN_LOGIN)
            accounts.check_registrable(email)
        elif account.kind != "staff":
            raise Invalid(Message("This is the address of a candidate. Use another address."))
        elif account.waits_for_deletion:
            raise Invalid(lookup.WAITS_FOR_DELETION)
        else:
            check_may_change(work, account)
    except ApiError as error:
        row.reject("email", error.detail)
        return
    if account is not None:
        row.user_id = account.id
        new = {name: row.values[name] for name in CHANGED if name in row.values}
        row.change({name: getattr(account, name) for name in new}, new)
        lookup.check_beginnings(row)
        return
    try:
        check_may_give(work, row.values.get("role", StaffRole.VOLUNTEER))
    except ApiError as error:
        row.reject("role", error.detail)
    if not row.errors:
        row.state = "new"


def apply(work: Work, asked: Asked, rows: Sequence[Row]) -> None:
    """Apply checked rows: create the accounts of new members of staff, and change known ones (see
    `competition.core.imports.Apply`)."""
    new = [row for row in rows if row.state == "new"]
    entered = [
        NewAccount(
            row.values["email"],
            row.values["first_name"],
            row.values["last_name"],
            {
                "role": row.values.get("role", StaffRole.VOLUNTEER),
                "occupation": row.values.get("occupation", ""),
            },
            row.values.get("phone", ""),
        )
        for row in new
    ]
    ids = entering.enter_staff(work, entered, invite=asked.invite)
    for row, user_id, each in zip(new, ids, entered, strict=True):
        row.user_id = user_id
        role = each.fields["role"]
        audit.record(work, INVITE, target=user_id, new=role)
        security_log.record_committed(work, "role_changed", user_id=user_id, new=role)
    changed = {row.user_id: row for row in rows if row.state == "changed"}
    known = select(Staff).where(Staff.id == any_(uuids(filter(None, changed))))
    for member in work.db.scalars(known.execution_options(populate_existing=True)):
        row = changed[member.id]
        values = {name: row.values[name] for name in row.before}
        for name, value in values.items():
            setattr(member, name, value)
        member.updated_at = work.now
        audit.record(
            work, accounts.CHANGE, target=member.id, old=row.before, new=values, erasable=True
        )
    work.db.flush()
