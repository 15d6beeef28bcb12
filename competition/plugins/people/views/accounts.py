from collections.abc import Mapping
from uuid import UUID

from competition.core.auth.access import USER, StaffRole, staff
from competition.core.errors import (
    Invalid,
    Messages,
    PermissionDenied,
    PreconditionFailed,
    StorageUnavailable,
    UnverifiedStaff,
)
from competition.core.schemas import VersionHeaders
from competition.core.seasons import current as seasons
from competition.core.seasons.schemas import SeasonQuery
from competition.core.users import sessions
from competition.core.users.accounts import visible
from competition.core.users.documents import document_links
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.people import schemas
from competition.plugins.people.presenters import accounts as presenters
from competition.plugins.people.services import accounts

own_account = Service("/account-management/")
account = Service("/account-management/{user_id:uuid}/")
activation = Service("/account-management/{user_id:uuid}/activation/")
deactivation_preview = Service("/account-management/{user_id:uuid}/activation/preview/")


@own_account.get(access=USER, query=SeasonQuery, versioned=True)
def get_own_account(request: Request) -> presenters.Account:
    """Get your own account.

    Candidates also get their scores, those of the current season or of the season `season`.
    """
    seasons.ask(request.work, request.validated["season"])
    return _shown(request, request.work.identity.user_id)


# This GET has a transaction, because links to another user's identity documents are recorded in the
# audit trail.
@account.get(
    access=USER,
    query=schemas.DocumentQuery,
    errors=(UnverifiedStaff,),
    transaction=True,
    versioned=True,
)
def get_account(request: Request, user_id: UUID) -> presenters.Account:
    """Get an account. Users can get their own account, and managers any account."""
    return _shown(request, user_id, wanted=request.validated["documents"])


def _shown(request: Request, user_id: UUID, *, wanted: bool = True) -> presenters.Account:
    user = visible(request.work, user_id)
    request.tag(user.updated_at)
    links = document_links(request.work, user, wanted=wanted)
    return presenters.account(request.work, user, links)


@own_account.patch(
    access=USER,
    headers=VersionHeaders,
    body=schemas.AccountChanges,
    files=schemas.PICTURE,
    errors=(PreconditionFailed, StorageUnavailable),
    versioned=True,
)
def change_own_account(request: Request) -> presenters.ChangedAccount:
    """Change some fields of your own account.

    The fields can be in one object, or as JSON in the nested objects `user` and `profile`. To send
    a picture, use a form. To remove it, send null.
    """
    return _changed(request, request.work.identity.user_id)


@account.patch(
    access=USER,
    headers=VersionHeaders,
    body=schemas.AccountChanges,
    files=schemas.PICTURE,
    guard=accounts.check_change,
    errors=(PreconditionFailed, UnverifiedStaff, StorageUnavailable),
    versioned=True,
)
def change_account(request: Request, user_id: UUID) -> presenters.ChangedAccount:
    """Change some fields of an account.

    Users can change their own account, and managers the accounts of users with a lower rank.
    """
    return _changed(request, user_id)


def _changed(request: Request, user_id: UUID) -> presenters.ChangedAccount:
    sent = request.validated
    try:
        user, held_back = accounts.change(request.work, user_id, sent, sent["if_match"])
    except Invalid as refusal:
        refusal.errors = _with_paths(refusal.errors, sent["nested"])
        raise
    request.tag(user.updated_at)
    links = document_links(request.work, user)
    return presenters.changed_account(request.work, user, links, held_back)


def _with_paths(errors: Messages | None, nested: Mapping[str, str]) -> Messages | None:
    """The messages of a rule, where the client has sent the fields: those of a nested field in its
    object."""
    if errors is None:
        return None
    placed: Messages = {}
    for name, messages in errors.items():
        inner = placed.setdefault(nested[name], {}) if name in nested else placed
        inner[name] = messages
    return placed


@activation.put(
    access=staff(StaffRole.MANAGER),
    body=schemas.Activation,
    guard=accounts.switchable,
    errors=(PermissionDenied,),
)
def switch_account(request: Request, user_id: UUID) -> presenters.ChangedAccount:
    """Deactivate an account and end its sessions, or activate it again."""
    user = accounts.set_active(request.work, request.target, request.validated["is_active"])
    return presenters.changed_account(request.work, user, document_links(request.work, user))


@deactivation_preview.get(
    access=staff(StaffRole.MANAGER), guard=accounts.seen_switchable, errors=(PermissionDenied,)
)
def preview_deactivation(request: Request, user_id: UUID) -> presenters.DeactivationPreview:
    """Preview deactivating an account now: the sessions that would end, the exams that the
    candidate is taking, and the time of a requested erasure.

    Nothing is changed.
    """
    work = request.work
    return presenters.deactivation_preview(work, request.target, sessions.listing(work, user_id))
