from uuid import UUID

from competition.core.auth.access import API_KEY, USER, StaffRole, staff
from competition.core.errors import Invalid, PermissionDenied, RateLimitExceeded
from competition.core.messages import Message
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.accounts.errors import InvalidOtp
from competition.plugins.privacy import PrivacySettings, presenters, schemas
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


@own_export.post(access=USER, status=202, errors=(Invalid, RateLimitExceeded))
def request_export(request: Request) -> presenters.PrivacyMessage:
    """Request a ZIP file with a copy of the data that is stored about you.

    Scores that candidates can't see yet are not in it. The email with the link lists everything
    that the copy leaves out.

    You get a link by email. It works for two hours (by default), and stops working earlier if the
    session that requested it ends. An account without an email address can't request a copy.
    """
    exports.request(request.work)
    return presenters.PrivacyMessage(message=Message("You will get a link to your data by email."))


@own_account.delete(
    access=USER,
    status=202,
    body=schemas.OwnDeletion,
    errors=(PermissionDenied, InvalidOtp, RateLimitExceeded, AccountInUse),
    hashes_password=True,
)
def delete_own_account(request: Request) -> presenters.DeletionReceipt:
    """Delete your account.

    The account is deactivated and all your sessions end at once. It is erased after 14 days (by
    default). Until then, you can cancel the deletion with the code that you get by email. Your
    answers, scores and ranks remain, without your name; the email lists all that remains.

    Send your password and, if you have a second factor, a code from it. You get 409
    `account_in_use` while an exam that you have started is running.
    """
    given = request.validated
    asked = deletion.request_own(request.work, given["password"], given["code"])
    return presenters.deletion_receipt(asked)


@account.delete(
    access=MANAGER, status=202, guard=deletion.deletable, errors=(PermissionDenied, AccountInUse)
)
def delete_account(request: Request, user_id: UUID) -> presenters.DeletionReceipt:
    """Delete the account of another user with a lower rank.

    The account is deactivated at once and erased later, as if its owner had deleted it, but the
    owner can't cancel the deletion. The account of a superadmin can't be deleted here.
    """
    return presenters.deletion_receipt(deletion.request(request.work, request.target))


@restoration.post(access=MANAGER, guard=deletion.deletable, errors=(PermissionDenied,))
def restore_account(request: Request, user_id: UUID) -> presenters.PrivacyMessage:
    """Cancel the deletion of an account. You get 404 if no deletion was requested."""
    deletion.restore(request.work, request.target)
    return presenters.PrivacyMessage(message=Message("The deletion has been cancelled."))


@own_restoration.post(access=API_KEY, body=schemas.RestoreCode, errors=(InvalidOtp,))
def restore_own_account(request: Request) -> presenters.PrivacyMessage:
    """Cancel the deletion of your account with the code that you got by email.

    Then you can log in again.
    """
    deletion.restore_by_code(request.work, request.validated["code"])
    return presenters.PrivacyMessage(message=Message("The deletion has been cancelled."))


@deletions.get(access=MANAGER, query=schemas.DeletionFilters)
def list_deletions(request: Request) -> presenters.DeletionList:
    """List the accounts that will be erased, the latest request first."""
    work = request.work
    page = deletion.page_of_deletions(work, request.validated)
    days = work.settings[PrivacySettings].deletion_days
    return presenters.deletion_list(page, days, request.public_url)


@consent_demand.get(access=API_KEY, polled=True)
def get_consent_demand(request: Request) -> presenters.ConsentDemand:
    """Get the text of a guardian's consent, and whether candidates need it to register."""
    return presenters.consent_demand(*consent.demanded(request.work))
