"""Changes of accounts: locking, activating, deactivating (decisions F11) and deleting them.

An erasure removes everything personal that other transactions have written about a person. So a
transaction that writes personal values about another person, such as a reason or an answer, first
calls `keep_from_erasure`. A transaction that changes several rows of candidates calls it first,
too: an erasure changes the same rows, and the two transactions could deadlock.

A transaction that takes several locks takes them in this order: the lock of publications, exams,
questions, papers and attempts (`exams.services.rows`), accounts by id, all other rows about these
people, and last the feeds. Before it takes these locks, each request that may change something
keeps its caller's account from being erased (`callers`). Only an erasure waits for that lock.
"""

from collections.abc import Collection
from typing import TypeVar
from uuid import UUID

from sqlalchemy import ColumnElement, any_, delete, select

from competition.core import audit
from competition.core.audit import security_log
from competition.core.auth.access import Permission, check_self_or_manager
from competition.core.database import uuids
from competition.core.errors import Invalid, NotFound, existing
from competition.core.messages import Message
from competition.core.storage import files
from competition.core.texts import email_form, has_hidden, is_deliverable, name_key
from competition.core.users import schools, sessions
from competition.core.users.events import (
    AccountActivated,
    AccountDeactivated,
    IdentitiesVouched,
    SchoolChanged,
)
from competition.core.users.models import SLIP_DOMAIN, Candidate, Staff, User
from competition.core.work import Work

U = TypeVar("U", bound=User)
# The action of audit entries about changed fields of an account. They contain personal values.
CHANGE = "account.change"
ERASED = Message("This account has been erased, so it can't be used any longer.")


def visible(work: Work, user_id: UUID) -> User:
    """The account with this id: the caller's own or, if the caller is a manager, any account.

    Raises PermissionDenied, SecondFactorRequired or UnverifiedStaff for other callers, and NotFound
    if there is no such user.
    """
    check_self_or_manager(work.identity, user_id)
    return existing(work.db.get(User, user_id))


def candidate(work: Work, candidate_id: UUID) -> Candidate:
    """The candidate with this id. Raises NotFound if there is none."""
    return existing(work.db.get(Candidate, candidate_id))


def locked(work: Work, kind: type[U], user_id: UUID) -> U:
    """Lock and reload the user's row, and return it. `kind` is User, Candidate or Staff.

    Raises NotFound if no user of this kind has this id.
    """
    lock = {"key_share": True}
    return existing(work.db.get(kind, user_id, with_for_update=lock, populate_existing=True))


def keep_from_erasure(work: Work, user_ids: Collection[UUID]) -> set[UUID]:
    """Keep these accounts from being erased until the commit. Returns the ids of those that have
    not been erased.

    This waits for an erasure that has begun. Until the commit, other transactions can still change
    the accounts without waiting.
    """
    found = work.db.execute(
        select(User.id, User.email)
        .where(User.id == any_(uuids(user_ids)))
        .order_by(User.id)
        .with_for_update(read=True, key_share=True)
    )
    return {user_id for user_id, email in found if not _is_erased(email)}


def keep_one(work: Work, user_id: UUID) -> None:
    """Keep an account from being erased until the commit. Raises Invalid if it has been erased."""
    if not keep_from_erasure(work, [user_id]):
        raise Invalid(ERASED)


def set_active(work: Work, user_id: UUID, active: bool) -> User:
    """Activate an account, or deactivate it, end its sessions and revoke its permissions. Nothing
    happens if the account is in that state already.

    The results of a deactivated candidate don't count in rankings. An account whose owner has left
    is inactive, and its results count; it can be deactivated too, so that they no longer count.
    Raises NotFound if there is no such account, and Invalid if an erased account is to be
    activated.
    """
    user = locked(work, User, user_id)
    switch(work, user, active)
    return user


def switch(work: Work, user: User, active: bool) -> None:
    """The same as `set_active`, for an account that the caller has locked already. Raises Invalid
    if an erased account is to be activated."""
    if active:
        check_not_erased(user)
    has_left = user.left_at is not None
    if user.is_active != active or (has_left and not active):
        old = "left" if has_left else user.is_active
        audit.record(work, "user.activation", target=user.id, old=old, new=active)
        event = "account_activated" if active else "account_deactivated"
        security_log.record_committed(work, event, user_id=user.id)
        user.is_active = active
        user.left_at = None
        user.updated_at = work.now
        if active:
            work.emit(AccountActivated(work, user.id))
        else:
            revoke_permissions(work, user)
            sessions.end_all(work, user.id)
            work.emit(AccountDeactivated(work, user.id))


def check_registrable(email: str) -> None:
    """Check that an account with this email address may be created.

    Erased accounts and accounts without email have addresses in two domains without mailboxes.
    Nobody may register such an address, because the service may need it for another account later.
    Raises Invalid for an address in one of these domains, for one that can never receive an email,
    and for one with invisible characters.
    """
    is_reserved = _is_erased(email) or email.endswith(f"@{SLIP_DOMAIN}")
    if is_reserved or not is_deliverable(email) or has_hidden(email):
        raise Invalid.field(
            "email",
            Message(
                "No email can be delivered to this address. Use another address.",
                "not_an_email_address",
            ),
        )


def check_not_erased(user: User) -> None:
    """Check that the personal data of the account was not erased. Raises Invalid if it was."""
    if has_erased_address(user):
        raise Invalid(ERASED)


def has_erased_address(user: User) -> bool:
    """Whether the account has been erased: its email address then has the domain of erased
    accounts."""
    return _is_erased(user.email)


def _is_erased(email: str) -> bool:
    return email.endswith(f"@{audit.ERASED_DOMAIN}")


def join_season(work: Work, candidate: Candidate, season_id: int) -> bool:
    """Let a locked candidate join the current season, whose id is `season_id`. Returns False if the
    candidate had joined it before, otherwise True."""
    is_new = candidate.season < season_id
    candidate.season_id = season_id
    if is_new:
        candidate.season_joined_at = work.now
    return is_new


def change_school(work: Work, candidate: Candidate, school: str, *, vouched: bool) -> None:
    """Change the school of a locked candidate. `vouched` is true if staff have decided this.
    `school` may be an alias or a code of the school.

    If an approved candidate changes the school without staff, the approved school still counts
    (`Candidate.counted_school`). If another school counts from now on, the candidate's number at
    the old school is removed, and SchoolChanged is emitted.
    """
    school = schools.own_name(work, school)
    approved = candidate.counted_school
    if candidate.is_user_verified and not vouched:
        candidate.approved_school = None if _is_same(school, approved) else approved
    else:
        if school == candidate.school and candidate.approved_school is not None:
            # Staff confirm a change that the candidate has made. `school` stays the same, so only
            # this entry records the confirmation.
            old, new = {"counted_school": approved}, {"counted_school": school}
            audit.record(work, CHANGE, target=candidate.id, old=old, new=new, erasable=True)
        candidate.approved_school = None
        if not _is_same(school, approved):
            candidate.school_since = work.now
            candidate.external_id = None
            candidate.school = school
            work.emit(SchoolChanged(work, candidate.id))
    candidate.school = school


def vouch(work: Work, users: Collection[User], *, subject: str = "") -> None:
    """Approve the identities of locked accounts because staff vouch for them, and record it.
    Accounts that are approved already, or were rejected, stay as they are. `subject` is the subject
    of the audit entries."""
    vouched = [each for each in users if each.verification in ("not_submitted", "pending")]
    pending = [each.id for each in vouched if each.verification == "pending"]
    for each in vouched:
        old = each.verification
        audit.record(
            work, "identity.vouch", target=each.id, subject=subject, old=old, new="approved"
        )
        each.verification = "approved"
        each.updated_at = work.now
    if vouched:
        work.db.flush()
        work.emit(IdentitiesVouched(work, [each.id for each in vouched], pending))


def _is_same(school: str, other: str) -> bool:
    return name_key(school) == name_key(other)


def delete_all(work: Work, condition: ColumnElement[bool]) -> None:
    """Delete the accounts that meet the condition, and their files."""
    deleted = work.db.scalars(delete(User).where(condition).returning(User.id)).all()
    files.delete_of(work, *map(files.of_user, deleted))


def set_permission(work: Work, user_id: UUID, name: str, granted: bool) -> bool:
    """Grant a permission to a member of staff, or revoke it. It takes effect at the next request.

    Returns False if nothing had to be changed. Raises NotFound if the user is not staff, or if
    there is no such permission to grant.
    """
    known = work.runtime.catalogue[Permission]
    if granted and name not in known:
        names = ", ".join(sorted(known)) or "none"
        raise NotFound(
            Message(
                "There is no permission ${name}. The permissions are: ${names}.",
                name=repr(name),
                names=names,
            )
        )
    member = locked(work, Staff, user_id)
    if granted == (name in member.permissions):
        return False
    others = [each for each in member.permissions if each != name]
    _record_permission(work, member, name, granted=granted)
    member.permissions = sorted([*others, name]) if granted else others
    member.updated_at = work.now
    return True


def revoke_permissions(work: Work, user: User) -> None:
    """Revoke all permissions of a locked account, and record each.

    Permissions were granted to a member of staff of a certain rank, so they end when the account is
    deactivated, and when the member of staff gets a lower rank. Activating the account, or giving
    the rank back, does not grant them again.
    """
    for name in user.permissions:
        _record_permission(work, user, name, granted=False)
    user.permissions = []


def _record_permission(work: Work, user: User, name: str, *, granted: bool) -> None:
    action = "permission.grant" if granted else "permission.revoke"
    audit.record(work, action, target=user.id, subject=name)
    event = "permission_granted" if granted else "permission_revoked"
    security_log.record_committed(work, event, user_id=user.id, permission=name)


def id_of(work: Work, email: str) -> UUID:
    """The id of the account with this email address. Raises NotFound if there is none."""
    user_id = work.db.scalar(select(User.id).where(User.email == email_form(email)))
    if user_id is None:
        raise NotFound(
            Message(
                "There is no account with the email address ${email}. Check the address.",
                email=email,
            )
        )
    return user_id
