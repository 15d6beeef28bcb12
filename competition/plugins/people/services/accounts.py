"""Account management: users change their own account, and managers change the accounts of other
users (decisions F11, F15 to F18)."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import Row
from sqlalchemy.exc import IntegrityError

from competition.core import audit, versions
from competition.core.auth.access import StaffRole, check_self_or_manager, rank
from competition.core.errors import Invalid, PermissionDenied, existing
from competition.core.messages import Message
from competition.core.storage.pictures import ReceivedFile
from competition.core.users import accounts, attachments, schools
from competition.core.users.events import AccountChanging
from competition.core.users.models import Candidate, User
from competition.core.work import Work
from competition.plugins.people.services import pictures

FOLDER = "pictures"
FIELDS = ("first_name", "last_name", "phone", "profile_picture", "language")
# Fields that candidates can't change in their own account: with a lower year, they might get an
# easier exam.
OF_STAFF = ("year", "group", "external_id")

NUMBER_TAKEN = Message("Another candidate of this school has this number. Check the number.")

# New values by field: a string, a ReceivedFile for the picture, or None to clear the field.
Changes = Mapping[str, Any]


def check_change(work: Work, user_id: UUID, if_match: str | None) -> None:
    """Check that the caller may change the account, before the body is read.

    The account is not locked yet, because a form with a picture may take a while to arrive.

    Raises the errors of `accounts.visible` and `check_may_change`, and PreconditionFailed if
    `if_match` names an earlier version.
    """
    user = accounts.visible(work, user_id)
    check_may_change(work, user)
    versions.check(user.updated_at, if_match)


def change(
    work: Work, user_id: UUID, changes: Changes, if_match: str | None
) -> tuple[User, list[str]]:
    """Change an account, and return it with the names of the fields that await approval.

    Subscribers to AccountChanging may hold fields back until a manager has approved them.

    Raises the errors of `check_change`. Raises Invalid if no field applies to this kind of account,
    if the school is blank, if another candidate of the school has the number, or if the account was
    erased. Raises Invalid too if candidates choose a school that they can't choose, or change a
    field of their own that only staff may change. Raises InvalidFileType if the picture is broken,
    and StorageUnavailable if the storage fails.
    """
    check_self_or_manager(work.identity, user_id)
    changes = _with_own_name(work, user_id, changes)
    user = accounts.locked(work, User, user_id)
    check_may_change(work, user)
    accounts.check_not_erased(user)
    versions.check(user.updated_at, if_match)
    asked = _editable(user, changes)
    if user_id == work.identity.user_id:
        asked = _without_those_of_staff(user, asked)
    values = dict(asked)
    work.emit(AccountChanging(work, user_id, values))
    # A change of the school also removes the number, which the old school has given.
    names = {*values, *(["external_id"] if "school" in values else [])}
    before = {name: getattr(user, name) for name in names}
    for name, value in values.items():
        if isinstance(value, ReceivedFile):
            picture = pictures.for_screen(value)
            attachments.replace(work, user, name, picture, plugin="people", folder=FOLDER)
        elif name == "profile_picture":
            attachments.remove(work, user, name)
        elif isinstance(user, Candidate) and name == "school":
            accounts.change_school(work, user, value, vouched=user_id != work.identity.user_id)
        else:
            setattr(user, name, value)
    user.updated_at = work.now
    after = {name: getattr(user, name) for name in names}
    audit.record_change(work, accounts.CHANGE, "", before, after, target=user_id, erasable=True)
    try:
        work.db.flush()
    except IntegrityError:
        raise Invalid.field("external_id", NUMBER_TAKEN) from None
    held_back = [name for name in asked if name not in values]
    return user, [name for name in held_back if asked[name] != getattr(user, name)]


def _with_own_name(work: Work, user_id: UUID, changes: Changes) -> Changes:
    """The changes, with the registered name of the school in place of the name that was typed.

    If the school is changed, no school can be renamed until the commit. Raises Invalid if callers
    change their own school to a school that they can't choose.
    """
    if not changes.get("school"):
        return changes
    schools.hold_names(work)
    typed = changes["school"]
    own = schools.own_name(work, typed)
    if user_id == work.identity.user_id and own != getattr(work.user, "school", None):
        schools.chosen(work, typed)
    return {**changes, "school": own}


def _editable(user: User, changes: Changes) -> dict[str, Any]:
    """The changes that apply to this kind of account (decisions F16). Raises Invalid if there are
    none, or if the school is blank."""
    fields = ("school", *OF_STAFF) if isinstance(user, Candidate) else ("occupation",)
    values = {name: changes[name] for name in (*FIELDS, *fields) if name in changes}
    if not values:
        raise Invalid(
            Message(
                "The request contains no field that can be changed for this account. "
                "Check the names of the fields."
            )
        )
    if "school" in values and not values["school"]:
        raise Invalid.field("school", Message("This field may not be blank.", "blank"))
    if "occupation" in values:
        values["occupation"] = values["occupation"] or ""
    return values


def _without_those_of_staff(user: User, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The changes without fields that the owner of the account can't change. Raises Invalid if one
    of these fields has a new value. The current value is accepted, because clients may send back
    all fields that they have read."""
    theirs = [name for name in OF_STAFF if name in asked]
    if wrong := [name for name in theirs if asked[name] != getattr(user, name)]:
        message = Message("Only your school or the organisers can change this.")
        raise Invalid(message, errors={name: [message] for name in wrong})
    return {name: value for name, value in asked.items() if name not in theirs}


def switchable(work: Work, user_id: UUID) -> User:
    """The account of another user, which the caller may activate or deactivate, locked.

    Raises NotFound if there is no such account, and PermissionDenied if the caller may not change
    it.
    """
    user = accounts.locked(work, User, user_id)
    _check_may_switch(work, user)
    return user


def seen_switchable(work: Work, user_id: UUID) -> User:
    """The account of another user, which the caller may activate or deactivate, not locked.

    Raises the same errors as `switchable`.
    """
    user = existing(work.db.get(User, user_id))
    _check_may_switch(work, user)
    return user


def set_active(work: Work, user: User, active: bool) -> User:
    """Activate or deactivate a locked account. Deactivating it ends the user's sessions."""
    accounts.switch(work, user, active)
    work.db.flush()
    return user


def _check_may_switch(work: Work, user: User) -> None:
    if user.id == work.identity.user_id:
        raise PermissionDenied(
            Message("You can't deactivate your own account. Ask another manager.")
        )
    check_may_change(work, user)


def check_may_change(work: Work, user: User | Row[Any]) -> None:
    """Check that the caller may change this account: their own account, or an account with a lower
    rank. Superadmins may change any account (decisions F15). Raises PermissionDenied otherwise."""
    actor = work.identity
    if user.id == actor.user_id or actor.role == StaffRole.SUPERADMIN:
        return
    if rank(user.role) >= rank(actor.role):
        raise PermissionDenied(
            Message(
                "You can't change an account with the role ${role}, which is not below your own.",
                role=user.role,
            )
        )
