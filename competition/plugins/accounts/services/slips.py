"""Logins and codes of candidates without an email address, which are printed on slips.

A login is the local part of the account's address at `SLIP_DOMAIN`. A code is the account's
password, generated (decisions D7) and shown once. See docs/decisions/0056-schools-and-teachers.md.
"""

import secrets
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, any_, func, select

from competition.core import audit
from competition.core.audit import AuditEntry, security_log
from competition.core.auth import hashing
from competition.core.database import uuids
from competition.core.errors import Invalid
from competition.core.messages import Message
from competition.core.texts import name_key
from competition.core.users import sessions
from competition.core.users.logins import LOGIN_LENGTH, has_code, login_of
from competition.core.users.models import SLIP_DOMAIN, Candidate
from competition.core.work import Work
from competition.plugins.accounts import AccountsSettings
from competition.plugins.accounts.models import Slip
from competition.plugins.accounts.services.passwords import NO_PASSWORD

# The digits and letters without 0, 1 and l, which look like others, and without vowels and y, so
# that no code spells a word.
ALPHABET = "23456789bcdfghjkmnpqrstvwxz"
# A code has 12 characters, which are 57 random bits, shown in groups of 4.
CODE_LENGTH, CODE_GROUP = 12, 4
# The action of audit entries about the codes of slips.
ISSUE = "slip.issue"


def new_address() -> str:
    """A random address at `SLIP_DOMAIN`, for an account without email. Another account may have it
    already."""
    return f"{_random(LOGIN_LENGTH)}@{SLIP_DOMAIN}"


def _random(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def issue(
    work: Work,
    candidate_ids: Sequence[UUID],
    *,
    renew: bool,
    unused: bool = False,
    subject: str = "",
    among: ColumnElement[bool] | None = None,
) -> list[Slip]:
    """Issue codes to candidates without email, and return their slips by school, group and name.

    A candidate without a valid code gets one. With `renew`, each candidate gets a new code. A new
    code ends the candidate's sessions. With `unused`, candidates who have signed in get no code, so
    that their sessions go on, even if they sign in while this runs.

    `subject` is the subject of the audit entries. `among` is an SQL condition on Candidate: other
    candidates are treated as if they did not exist.

    Raises Invalid if an id is not that of a candidate without email, or if the account is
    deactivated: its owner could not sign in with the slip. Its `errors` name all such ids by their
    positions.
    """

    def wants_code(candidate: Candidate) -> bool:
        if unused and candidate.first_login_at is not None:
            return False
        return renew or not has_code(work.now, candidate)

    ids = list(dict.fromkeys(candidate_ids))
    # Hash before the accounts are locked, so that nobody who logs in waits for the lock.
    read = _candidates(work, ids, among, lock=False)
    codes = {each: _new_code() for each in ids if wants_code(read[each])}
    candidates = _candidates(work, ids, among, lock=True)
    slips = []
    for candidate in candidates.values():
        shown = None
        # In the meantime, another request may have issued and shown a code, or the candidate may
        # have signed in.
        if candidate.id in codes and wants_code(candidate):
            shown, hashed = codes[candidate.id]
            _set(work, candidate, hashed, subject)
        login = login_of(candidate.email)
        assert login is not None
        is_used = candidate.first_login_at is not None if unused else None
        slips.append(Slip(candidate, login, shown, is_used))
    work.db.flush()
    return sorted(slips, key=_place)


def _new_code() -> tuple[str, str]:
    """A new code as slips show it, and its hash."""
    code = _random(CODE_LENGTH)
    groups = (code[at : at + CODE_GROUP] for at in range(0, CODE_LENGTH, CODE_GROUP))
    return "-".join(groups), hashing.hash_password(code)


def _set(work: Work, candidate: Candidate, password_hash: str, subject: str) -> None:
    was_replaced = candidate.password_hash != NO_PASSWORD
    candidate.password_hash = password_hash
    candidate.password_is_generated = True
    days = work.settings[AccountsSettings].slip_days
    candidate.password_ends_at = work.now + timedelta(days=days)
    candidate.updated_at = work.now
    sessions.end_all(work, candidate.id)
    new = {"renewed": was_replaced}
    audit.record(work, ISSUE, target=candidate.id, subject=subject, new=new)
    security_log.record_committed(work, "slip_issued", user_id=candidate.id)


def end_earlier(work: Work, candidates: Collection[Candidate], *, subject: str) -> None:
    """End the codes of locked candidates without email that were issued before their present school
    counted, and the candidates' sessions. The teacher of the earlier school may know these codes.

    `subject` is the subject of the audit entries.
    """
    moved = {
        each.id: each.school_since
        for each in candidates
        if not each.has_email and each.school_since is not None and has_code(work.now, each)
    }
    if not moved:
        return
    rows = work.db.execute(
        select(AuditEntry.target_id, func.max(AuditEntry.created_at))
        .where(
            AuditEntry.target_id == any_(uuids(moved)),
            AuditEntry.action == ISSUE,
        )
        .group_by(AuditEntry.target_id)
    )
    latest = {user_id: issued_at for user_id, issued_at in rows}
    for each in candidates:
        if each.id in moved and (each.id not in latest or latest[each.id] < moved[each.id]):
            each.password_hash = NO_PASSWORD
            each.password_is_generated = False
            each.password_ends_at = None
            each.updated_at = work.now
            sessions.end_all(work, each.id)
            audit.record(work, "slip.end", target=each.id, subject=subject)
            security_log.record_committed(work, "slip_ended", user_id=each.id)


def _candidates(
    work: Work, ids: Sequence[UUID], among: ColumnElement[bool] | None, *, lock: bool
) -> Mapping[UUID, Candidate]:
    """The candidates with these ids, by id. `among` is an SQL condition on Candidate.

    Raises Invalid if an id is not that of a candidate without email who meets the condition, or if
    the account is deactivated.
    """
    statement = select(Candidate).where(Candidate.id == any_(uuids(ids)), ~Candidate.has_email)
    if among is not None:
        statement = statement.where(among)
    if lock:
        statement = statement.order_by(Candidate.id).with_for_update(key_share=True)
    rows = work.db.scalars(statement.execution_options(populate_existing=True))
    found = {each.id: each for each in rows}
    unknown = {
        str(index): [
            Message("No candidate without an email address has this id. Check the id.", "unknown")
        ]
        for index, user_id in enumerate(ids)
        if user_id not in found
    }
    inactive = {
        str(index): [
            Message(
                "This account is deactivated, so nobody can sign in with a slip of it. Leave the"
                " candidate out.",
                "deactivated",
            )
        ]
        for index, user_id in enumerate(ids)
        if user_id in found and not found[user_id].is_active
    }
    if unknown or inactive:
        raise Invalid(
            Message(
                "Slips are only for candidates without an email address. "
                "Leave the other candidates out."
            )
            if unknown
            else Message("Deactivated accounts get no slips. Leave these candidates out."),
            errors={"candidates": unknown | inactive},
        )
    return found


def _place(slip: Slip) -> tuple[str, ...]:
    found = slip.candidate
    names = (found.counted_school, found.group, found.last_name, found.first_name)
    return (*map(name_key, names), str(found.id))
