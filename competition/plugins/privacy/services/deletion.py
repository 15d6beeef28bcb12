"""Delete accounts: deactivate them at once, and erase them after some days.

Until then, the deletion can be cancelled. Before a deletion changes, its account is locked.
"""

import hashlib
import secrets
from datetime import timedelta
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import contains_eager

from competition.core import audit
from competition.core.auth.access import StaffRole
from competition.core.errors import NotFound, PermissionDenied
from competition.core.jobs import jobs
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.mail import mails
from competition.core.messages import Message
from competition.core.users import accounts, personal_data
from competition.core.users.models import User
from competition.core.work import Work
from competition.plugins.accounts.errors import InvalidOtp
from competition.plugins.accounts.services import proofs, second_factor
from competition.plugins.people.services.accounts import switchable
from competition.plugins.privacy import PrivacySettings
from competition.plugins.privacy.errors import AccountInUse
from competition.plugins.privacy.models import Deletion

ORDERING = {
    "created_at": Deletion.requested_at,
    "erase_at": Deletion.erase_at,
    "email": User.email,
    "role": User.role,
}
# How long to wait before the next attempt to erase an account that was in use.
PAUSE = timedelta(hours=1)
CODE_BYTES = 24


def request_own(work: Work, password: str, code: str | None) -> Deletion:
    """Request the deletion of the actor's account, after a check of the password and the second
    factor.

    Raises PermissionDenied for a superadmin, Invalid for a wrong password, and InvalidOtp for a
    wrong code. Raises RateLimitExceeded after too many passwords or codes, and AccountInUse if the
    account can't be deleted now.
    """
    user = proofs.check_password(work, password)
    if second_factor.is_confirmed(work, user):
        second_factor.use(work, user, code or "")
    _check_is_no_superadmin(user)
    return _request(work, user, is_own=True)


def deletable(work: Work, user_id: UUID) -> User:
    """The account of another user, which the actor may delete, locked.

    Raises NotFound if there is no such account, or if it was erased. Raises PermissionDenied if the
    actor may not change the account, or if it belongs to a superadmin.
    """
    user = switchable(work, user_id)
    if accounts.has_erased_address(user):
        raise NotFound
    _check_is_no_superadmin(user)
    return user


def request(work: Work, user: User) -> Deletion:
    """Request the deletion of an account that `deletable` has locked.

    If the deletion was requested before, its date stays the same. If the user had requested the
    deletion, it counts as the manager's from now on: the code that was emailed to the user no
    longer cancels it. Raises AccountInUse if the account can't be deleted now.
    """
    deletion = work.db.get(Deletion, user.id, with_for_update=True, populate_existing=True)
    if deletion is None:
        return _request(work, user, is_own=False)
    if deletion.is_own:
        deletion.is_own, deletion.code_hash = False, None
        audit.record(work, "account.delete", target=user.id, new={"erase_at": deletion.erase_at})
        work.db.flush()
    return deletion


def _check_is_no_superadmin(user: User) -> None:
    if user.role == StaffRole.SUPERADMIN:
        raise PermissionDenied(Message("Only an operator can delete the account of a superadmin."))


def _request(work: Work, user: User, *, is_own: bool) -> Deletion:
    if reason := personal_data.in_use(work, user):
        raise AccountInUse(reason)
    erase_at = work.now + timedelta(days=work.settings[PrivacySettings].deletion_days)
    deletion = Deletion(
        user_id=user.id, requested_at=work.now, erase_at=erase_at, is_own=is_own, code_hash=None
    )
    work.db.add(deletion)
    user.waits_for_deletion = True
    if user.is_active:
        accounts.switch(work, user, False)
        user.left_at = work.now
    audit.record(work, "account.delete", target=user.id, new={"erase_at": erase_at})
    mails.send(work, "privacy.deletion", user.email, user_id=str(user.id))
    jobs.enqueue(work, "privacy.erase", user_id=str(user.id), run_after=erase_at)
    work.db.flush()
    return deletion


def new_code(work: Work, user_id: UUID) -> tuple[Deletion, str | None] | None:
    """The requested deletion, and a new code for cancelling it, which replaces an earlier code.

    The code is None if a manager requested the deletion. The result is None if the deletion has
    been cancelled or carried out.
    """
    deletion = work.db.get(Deletion, user_id, with_for_update=True)
    if deletion is None:
        return None
    if not deletion.is_own:
        return deletion, None
    code = secrets.token_urlsafe(CODE_BYTES)
    deletion.code_hash = _hash(code)
    return deletion, code


def restore_by_code(work: Work, code: str) -> None:
    """Cancel the deletion that the code belongs to. Raises InvalidOtp if the code belongs to no
    deletion."""
    of_code = select(Deletion.user_id).where(Deletion.code_hash == _hash(code))
    user_id = work.db.scalar(of_code)
    if user_id is None:
        raise InvalidOtp
    user = accounts.locked(work, User, user_id)
    # Another request may have cancelled the deletion before the account was locked.
    if work.db.scalar(of_code) is None:
        raise InvalidOtp
    restore(work, user)


def restore(work: Work, user: User) -> None:
    """Cancel the deletion of a locked account, and activate the account if the deletion had
    deactivated it. Raises NotFound if no deletion was requested."""
    if not cancel(work, user.id):
        raise NotFound
    audit.record(work, "account.restore", target=user.id)
    if user.left_at is not None:
        accounts.switch(work, user, True)
    work.db.flush()


def cancel(work: Work, user_id: UUID) -> bool:
    """Cancel the deletion of a locked account. Returns False if none was requested."""
    deletion = work.db.get(Deletion, user_id, populate_existing=True)
    if deletion is None:
        return False
    work.db.delete(deletion)
    accounts.locked(work, User, user_id).waits_for_deletion = False
    work.db.flush()
    return True


def carry_out(work: Work, user_id: UUID) -> None:
    """Erase an account when its date has come, unless the deletion was cancelled.

    If the account is in use, a job tries again an hour later.
    """
    deletion = work.db.get(Deletion, user_id)
    if deletion is None:
        return
    user = personal_data.lock_to_erase(work, user_id)
    deletion = work.db.get(Deletion, user_id, populate_existing=True)
    if deletion is None or deletion.erase_at > work.now:
        return
    if personal_data.in_use(work, user):
        jobs.enqueue(work, "privacy.erase", user_id=str(user_id), run_after=work.now + PAUSE)
    else:
        personal_data.erase(work, user_id)


def page_of_deletions(work: Work, query: Query) -> Page[Deletion]:
    """A page of the requested deletions, the latest request first."""
    statement = (
        select(Deletion)
        .join(Deletion.user)
        .options(contains_eager(Deletion.user))
        .where(*contains_every_word(query["search"], User.search_text))
    )
    return paginate(
        work,
        statement,
        query,
        key=Deletion.user_id,
        created=Deletion.requested_at,
        ordering=ORDERING,
    )


def _hash(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
