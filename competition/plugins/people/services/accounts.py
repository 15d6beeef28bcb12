"""Account management: users change their own account, managers those of others (decisions F11, F15
to F18)."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from competition.core import audit
from competition.core.auth.access import StaffRole, check_self_or_manager, rank
from competition.core.errors import Invalid, NotFound, PermissionDenied
from competition.core.storage.pictures import ReceivedFile
from competition.core.users import accounts, attachments
from competition.core.users.events import AccountChanging
from competition.core.users.models import Candidate, User
from competition.core.work import Work
from competition.plugins.people.services import pictures

FOLDER = "pictures"
FIELDS = ("first_name", "last_name", "phone", "profile_picture")

# By field: a text, or for the picture a ReceivedFile; None for none.
Changes = Mapping[str, Any]


def account(work: Work, user_id: UUID) -> User:
    """The caller's own account, or for a manager anybody's. Raises PermissionDenied,
    UnverifiedStaff, NotFound."""
    check_self_or_manager(work.identity, user_id)
    user = work.db.get(User, user_id)
    if user is None:
        raise NotFound
    return user


def check_change(work: Work, user_id: UUID) -> None:
    """Refuse a change before it is read. The account is not locked yet: a form with a picture may
    take a while to come.

    Raises PermissionDenied, UnverifiedStaff, NotFound.
    """
    _check_may_change(work, account(work, user_id))


def change(work: Work, user_id: UUID, changes: Changes) -> tuple[User, list[str]]:
    """The account, and the fields that others hold back until somebody has looked at them.

    Raises what `check_change` does, Invalid without a field that this kind of account has,
    InvalidFileType, StorageUnavailable.
    """
    check_self_or_manager(work.identity, user_id)
    user = accounts.locked(work, User, user_id)
    _check_may_change(work, user)
    asked = _editable(user, changes)
    values = dict(asked)
    work.emit(AccountChanging(work, user_id, values))
    before = {name: getattr(user, name) for name in values}
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
    after = {name: getattr(user, name) for name in values}
    audit.record_change(work, accounts.CHANGE, "", before, after, target=user_id)
    work.db.flush()
    held_back = [name for name in asked if name not in values]
    return user, [name for name in held_back if asked[name] != getattr(user, name)]


def _editable(user: User, changes: Changes) -> dict[str, Any]:
    """The changes that this kind of account can have (decisions F16). Raises Invalid when there are
    none."""
    field = "school" if isinstance(user, Candidate) else "occupation"
    values = {name: changes[name] for name in (*FIELDS, field) if name in changes}
    if not values:
        raise Invalid("There is nothing in the request that can be changed.")
    if "school" in values and not values["school"]:
        raise Invalid.field("school", "This field may not be blank.")
    if "occupation" in values:
        values["occupation"] = values["occupation"] or ""
    return values


def switchable(work: Work, user_id: UUID) -> User:
    """The account to activate or deactivate, somebody else's, locked. Raises NotFound,
    PermissionDenied."""
    user = accounts.locked(work, User, user_id)
    _check_may_switch(work, user)
    return user


def set_active(work: Work, user: User, active: bool) -> User:
    """Activate or deactivate a locked account. Deactivation ends the user's sessions."""
    accounts.switch(work, user, active)
    work.db.flush()
    return user


def _check_may_switch(work: Work, user: User) -> None:
    if user.id == work.identity.user_id:
        raise PermissionDenied("You can't deactivate your own account.")
    _check_may_change(work, user)


def _check_may_change(work: Work, user: User) -> None:
    """Refuse a manager's change of an account of the same rank or above, except their own
    (decisions F15). Raises PermissionDenied."""
    actor = work.identity
    if user.id == actor.user_id or actor.role == StaffRole.SUPERADMIN:
        return
    if rank(user.role) >= rank(actor.role):
        raise PermissionDenied(f"You may not change an account with the role {user.role}.")
