"""Personal data: exporting the data that is stored about a person, and erasing it.

Every plugin that stores something about users declares how to export and how to erase it:

    @personal_data("notes", export=export)
    def erase(work: Work, user: User) -> None:
        work.db.execute(delete(Note).where(Note.user_id == user.id))

If the export leaves something out, or something stays after the erasure, the declaration names that
in `withheld` and `remains`. Emails to the user list these texts, so that they don't promise too
much.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import delete, or_, select

from competition.core import audit, repeats
from competition.core.audit import AuditEntry
from competition.core.auth import hashing
from competition.core.auth.identity import Kind
from competition.core.catalogue import OwnName, declaration
from competition.core.errors import existing
from competition.core.messages import (
    ENGLISH,
    LANGUAGES,
    Language,
    Message,
    translate_for,
    worded,
)
from competition.core.runtime import ServiceSettings
from competition.core.storage import files
from competition.core.users import accounts, attachments, sessions
from competition.core.users.credentials import AuthSession, KnownNetwork
from competition.core.users.events import AccountErased, AccountErasing
from competition.core.users.models import FILES, Candidate, Staff, User
from competition.core.users.profiles import profile
from competition.core.work import Work

ERASED = "Erased"

Export = Callable[[Work, User], Any]
Erase = Callable[[Work, User], None]
Reason = Callable[[Work, User], str | None]


@dataclass(frozen=True)
class PersonalData(OwnName):
    """A part of the personal data of users, such as their sessions: how to export and erase it.

    `export` returns the data about a user as a JSON value; messages in it are translated into the
    language of the account. `erase` deletes the data or, if rows have to stay, removes the person
    from them. When `erase` is called, the account's row is locked and has its old values.

    `withheld` names what the export leaves out, and `remains` what stays after the erasure, without
    the user's name. `kind` is the kind of account that the two texts are about, if they are not
    about both.
    """

    name: str
    export: Export
    erase: Erase
    withheld: Message | None = None
    remains: Message | None = None
    kind: Kind | None = None

    def concerns(self, user: User) -> bool:
        """Whether `withheld` and `remains` hold for this user. They may hold for candidates only,
        or for staff only."""
        return self.kind in (None, user.kind)


@dataclass(frozen=True)
class AccountUse(OwnName):
    """A possible reason not to delete an account yet, such as a running exam.

    `reason` returns a sentence for the owner of the account while the reason holds, otherwise None.
    """

    name: str
    reason: Reason


def export(work: Work, user_id: UUID) -> dict[str, Any]:
    """All personal data of a user: the JSON value of each part by the part's name
    (`PersonalData.name`), with messages in the language of the account.

    This locks the account. Raises NotFound if there is no such user.
    """
    user = accounts.locked(work, User, user_id)
    parts = work.runtime.catalogue[PersonalData].values()
    translate = translate_for(work.runtime, language_of(work, user))
    return {part.name: worded(part.export(work, user), translate) for part in parts}


def language_of(work: Work, user: User) -> Language:
    """The language of the user's export, which is that of emails to the user."""
    chosen = user.language or work.settings[ServiceSettings].language
    return next((each for each in LANGUAGES if each == chosen), ENGLISH)


def withheld(work: Work, user: User) -> list[Message]:
    """The texts that name what an export of the user's data leaves out."""
    parts = work.runtime.catalogue[PersonalData].values()
    return [each.withheld for each in parts if each.withheld and each.concerns(user)]


def remains(work: Work, user: User) -> list[Message]:
    """The texts that name what stays after an erasure, without the user's name."""
    parts = work.runtime.catalogue[PersonalData].values()
    return [each.remains for each in parts if each.remains and each.concerns(user)]


def in_use(work: Work, user: User) -> str | None:
    """The first reason why the account is still needed, or None. The reason is only a warning:
    `erase` does not check it."""
    uses = work.runtime.catalogue[AccountUse].values()
    return next(filter(None, (use.reason(work, user) for use in uses)), None)


def erase(work: Work, user_id: UUID) -> None:
    """Erase all personal data of a user. The account's row stays, without personal data, because
    results refer to the row. Raises NotFound if there is no such user.

    This waits for the user's own requests, and for all other transactions that keep the account
    from being erased, or that have inserted rows which refer to it. So the erasure sees everything
    that they have written.
    """
    user = lock_to_erase(work, user_id)
    for part in reversed(work.runtime.catalogue[PersonalData].values()):
        part.erase(work, user)
    work.db.flush()
    work.emit(AccountErased(work, user.id))


def lock_to_erase(work: Work, user_id: UUID) -> User:
    """Lock an account, and before that everything that subscribers of AccountErasing lock. Returns
    the account, reloaded. Raises NotFound if there is no such user.

    The caller must not have locked the account in another way: a request of the user could wait for
    that lock, while this waits for the request.
    """
    existing(work.db.get(User, user_id))
    # Emit this before locking the account. A publication takes its own lock before it refers to
    # accounts, so the opposite order could deadlock.
    work.emit(AccountErasing(work, user_id))
    # The account may have been deleted while a subscriber waited for a lock.
    return existing(work.db.get(User, user_id, with_for_update=True, populate_existing=True))


def personal_data(
    name: str,
    *,
    export: Export,
    withheld: Message | None = None,
    remains: Message | None = None,
    kind: Kind | None = None,
) -> Callable[[Erase], Erase]:
    """Decorator: declare a part of the personal data. The decorated function erases the part, and
    `export` returns it. A scan of the function's module registers the part.

    `withheld` and `remains` are items of lists in emails to the user, such as "scores, until they
    are published". Set `remains` if the erasure leaves rows that belong to the account. Set `kind`
    if the part stores only data about candidates, or only data about staff.
    """
    return declaration(
        PersonalData,
        name,
        lambda erase: PersonalData(name, export, erase, withheld, remains, kind),
    )


def account_use(name: str) -> Callable[[Reason], Reason]:
    """Decorator: declare a possible reason not to delete an account yet, such as a running exam.

    While the reason holds, the decorated function returns it as a sentence for the owner of the
    account, otherwise None. A scan of the function's module registers the function.
    """
    return declaration(AccountUse, name, lambda reason: AccountUse(name, reason))


def _export_account(work: Work, user: User) -> Any:
    """The profile, as the API returns it; for a candidate with the fields `approved_school` and
    `school_since`, too. The plugin `privacy` adds the files of the account to its ZIP file."""
    account = dict(profile(work, user))
    if isinstance(user, Candidate):
        account |= {"approved_school": user.approved_school, "school_since": user.school_since}
    return account


# This part must be erased last, because the functions of other parts may need the account's data.
# `erase` goes through the parts in reverse order, and a scan registers the functions of a module in
# the order of their names. So `_erase_account` is registered first.
@personal_data(
    "account",
    export=_export_account,
    withheld=Message("your password and your secret codes"),
    remains=Message("an account without a name: its number, role and dates"),
)
def _erase_account(work: Work, user: User) -> None:
    """Erase the fields of the account's row, such as the email address, the password and the name,
    and deactivate the account. End its sessions, and delete its files and its stored replies to
    repeated requests."""
    sessions.end_all(work, user.id)
    attachments.remove(work, user, *FILES)
    # Also delete files that a plugin stored for the person, and that no row refers to any longer.
    files.delete_of(work, files.of_user(user.id))
    repeats.delete_of(work, user.id)
    user.email = f"{user.id}@{audit.ERASED_DOMAIN}"
    user.password_hash = hashing.hash_password(secrets.token_urlsafe())
    user.first_name = user.last_name = ERASED
    user.phone = ""
    user.language = user.first_login_at = None
    if isinstance(user, Candidate):
        user.school = ERASED
        user.approved_school = user.school_since = None
        user.year = user.external_id = None
        user.group = ""
    elif isinstance(user, Staff):
        user.occupation = ""
        user.permissions = []
    if user.is_active:
        user.left_at = work.now
    user.waits_for_deletion = False
    user.is_active = user.is_email_verified = False
    user.verification = "not_submitted"
    user.updated_at = work.now


def _export_acts(work: Work, user: User) -> Any:
    """The audit entries about the user and by the user.

    Network addresses are included only for the user's own acts. Old and new values are included
    only for changed fields of the user's own account: other entries may contain a score that the
    user can't see yet.
    """
    found = work.db.scalars(
        select(AuditEntry)
        .where(or_(AuditEntry.target_id == user.id, AuditEntry.actor_id == user.id))
        .order_by(AuditEntry.id)
    )
    acts = []
    for each in found:
        act = {"action": each.action, "subject": each.subject, "at": each.created_at}
        if each.actor_id == user.id:
            act["address"] = each.address
        if each.action == accounts.CHANGE and each.target_id == user.id:
            act |= {"old": each.old, "new": each.new}
        acts.append(act)
    return acts


@personal_data(
    "audit",
    export=_export_acts,
    withheld=Message(
        "old and new values in the record of changes, except for changes of your profile"
    ),
    remains=Message(
        "the entries of the audit trail about what you did and about your account: which act, when"
        " and, for most of them, from which network address and with which values, such as a stage"
    ),
)
def _forget_acts(work: Work, user: User) -> None:
    """Delete the personal values and the network addresses from those entries about the user that
    were recorded as erasable. All other entries stay as they are."""
    audit.erase(work, user.id)


def _export_sessions(work: Work, user: User) -> Any:
    """When the user logged in, and when each session was last used."""
    found = work.db.scalars(
        select(AuthSession).where(AuthSession.user_id == user.id).order_by(AuthSession.created_at)
    )
    return [{"logged_in_at": each.created_at, "last_used_at": each.refreshed_at} for each in found]


@personal_data("sessions", export=_export_sessions)
def _erase_sessions(work: Work, user: User) -> None:
    """Delete all sessions of the user, including those that have ended."""
    work.db.execute(delete(AuthSession).where(AuthSession.user_id == user.id))


def _export_networks(work: Work, user: User) -> Any:
    """When the user last logged in from each network. The networks themselves are not stored."""
    found = work.db.scalars(
        select(KnownNetwork.last_login_at)
        .where(KnownNetwork.user_id == user.id)
        .order_by(KnownNetwork.last_login_at)
    )
    return [{"last_login_at": each} for each in found]


@personal_data("networks", export=_export_networks)
def _erase_networks(work: Work, user: User) -> None:
    """Delete the networks from which the user has logged in."""
    work.db.execute(delete(KnownNetwork).where(KnownNetwork.user_id == user.id))
