from uuid import UUID

from competition.core.auth.access import API_KEY, USER, StaffRole, staff
from competition.core.errors import InvalidOtp, PermissionDenied, RateLimitExceeded
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.privacy import presenters, schemas
from competition.plugins.privacy.errors import AccountInUse
from competition.plugins.privacy.services import consent, deletion, exports

MANAGER = staff(StaffRole.MANAGER)

own_export = Service("/users/me/export/")
own_account = Service("/users/me/")
account = Service("/users/{user_id:uuid}/")
restoration = Service("/users/{user_id:uuid}/restore/")
own_restoration = Service("/users/restore/")
deletions = Service("/users/deletions/")
consent_demand = Service("/registration/consent/")


@own_export.post(access=USER, status=202, errors=(RateLimitExceeded,))
def request_export(request: Request) -> presenters.PrivacyMessage:
    """Have everything that is kept about you put into a ZIP. A link to it is mailed, which works
    for a day (a setting)."""
    exports.request(request.work)
    return presenters.PrivacyMessage(message="Your data is being put together.")


@own_account.delete(
    access=USER,
    status=202,
    body=schemas.OwnDeletion,
    errors=(PermissionDenied, InvalidOtp, RateLimitExceeded, AccountInUse),
    lane="passwords",
)
def delete_own_account(request: Request) -> presenters.DeletionReceipt:
    """Delete your account: it is deactivated, all your sessions end, and it is erased after some
    days (a setting).

    The password is asked for again, and a code of the second factor from who has one. Until it is
    erased, the code that is mailed takes it back. Ranks and scores stay, without a name. 409
    `account_in_use` while an exam runs that you have begun.
    """
    given = request.validated
    asked = deletion.request_own(request.work, given["password"], given["code"])
    return presenters.deletion_receipt(asked)


@account.delete(
    access=MANAGER, status=202, guard=deletion.deletable, errors=(PermissionDenied, AccountInUse)
)
def delete_account(request: Request, user_id: UUID) -> presenters.DeletionReceipt:
    """Delete somebody else's account, of a lower rank, as they would themselves. A superadmin's is
    not to be deleted here."""
    return presenters.deletion_receipt(deletion.request(request.work, request.target))


@restoration.post(access=MANAGER, guard=deletion.deletable, errors=(PermissionDenied,))
def restore_account(request: Request, user_id: UUID) -> presenters.PrivacyMessage:
    """Take a deletion back before the account is erased; 404 where none waits."""
    deletion.restore(request.work, request.target)
    return presenters.PrivacyMessage(message="The account stays.")


@own_restoration.post(access=API_KEY, body=schemas.RestoreCode, errors=(InvalidOtp,))
def restore_own_account(request: Request) -> presenters.PrivacyMessage:
    """Take the deletion of your account back, with the code that was mailed; then log in."""
    deletion.restore_by_code(request.work, request.validated["code"])
    return presenters.PrivacyMessage(message="The account stays.")


@deletions.get(access=MANAGER, query=schemas.DeletionFilters)
def list_deletions(request: Request) -> presenters.DeletionList:
    """The accounts that wait to be erased, the latest request first."""
    page = deletion.page_of_deletions(request.work, request.validated)
    return presenters.deletion_list(page, request.public_url)


@consent_demand.get(access=API_KEY, polled=True)
def get_consent_demand(request: Request) -> presenters.ConsentDemand:
    """Whether a candidate registers with a guardian's consent only, and to which text."""
    return presenters.consent_demand(*consent.demanded(request.work))
