from uuid import UUID

from competition.core.auth.access import USER, StaffRole, staff
from competition.core.errors import (
    NotFound,
    PreconditionFailed,
    StorageUnavailable,
    UnverifiedStaff,
)
from competition.core.schemas import VersionHeaders
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.verification import presenters, schemas
from competition.plugins.verification.errors import (
    AlreadyVerified,
    EmailNotVerified,
    PendingVerification,
)
from competition.plugins.verification.services import (
    deciding,
    listing,
    reading,
    similarity,
    submitting,
)

MANAGER = staff(StaffRole.MANAGER)

own_status = Service("/user/verification/status/")
status = Service("/user/verification/status/{user_id:uuid}/")
upload = Service("/user/verification/upload/")
requests = Service("/user/verification/list/")
action = Service("/user/verification/action/{user_id:uuid}/")
document = Service(
    "/user/verification/documents/{type}/{user_id:uuid}/",
    schemas={"type": {"type": "string", "enum": [each.name for each in schemas.DOCUMENTS]}},
)


@own_status.get(access=USER, polled=True)
def get_own_verification_status(request: Request) -> presenters.VerificationRecord:
    """Get the status of your own verification."""
    user_id = request.work.identity.user_id
    return presenters.record(*reading.status(request.work, user_id))


@status.get(access=USER, errors=(UnverifiedStaff,))
def get_verification_status(request: Request, user_id: UUID) -> presenters.VerificationRecord:
    """Get the status of a user's verification. Users can get their own, and managers any.

    Managers also see which other accounts may belong to the same person and, for documents that
    were sent again after a rejection, that rejection.
    """
    work = request.work
    user, submitted = reading.status(work, user_id)
    if user_id == work.identity.user_id:
        return presenters.record(user, submitted)
    similar = similarity.similar_accounts(work, [user_id])[user_id]
    earlier = reading.earlier_decision(work, user, submitted)
    return presenters.reviewed_record(user, submitted, similar, earlier)


@upload.post(
    access=USER,
    status=201,
    files=schemas.DOCUMENTS,
    guard=submitting.check_submission,
    errors=(EmailNotVerified, PendingVerification, AlreadyVerified, StorageUnavailable),
)
def submit_documents(request: Request) -> presenters.UploadReceipt:
    """Submit all three identity documents for review."""
    return presenters.receipt(*submitting.submit(request.work, request.validated))


@upload.patch(
    access=USER,
    files=schemas.DOCUMENTS,
    guard=submitting.check_resubmission,
    errors=(EmailNotVerified, NotFound, AlreadyVerified, StorageUnavailable),
)
def resubmit_documents(request: Request) -> presenters.UploadReceipt:
    """Replace some of your documents, after a rejection or while they are being reviewed."""
    return presenters.receipt(*submitting.resubmit(request.work, request.validated))


@requests.get(access=MANAGER, query=schemas.RequestFilters)
def list_verifications(request: Request) -> presenters.VerificationList:
    """List the verification requests, the oldest pending request first.

    `similar_accounts` of a request names other accounts that may belong to the same person.
    """
    work = request.work
    page = listing.page_of_requests(work, request.validated)
    similar = similarity.similar_accounts(work, [each.user_id for each in page.items])
    return presenters.verification_list(work, page, similar, request.public_url)


@action.post(
    access=MANAGER,
    headers=VersionHeaders,
    body=schemas.Decision,
    guard=deciding.check_decision,
    errors=(AlreadyVerified, PreconditionFailed),
)
def decide_verification(request: Request, user_id: UUID) -> presenters.DecisionReceipt:
    """Approve or reject a user's documents.

    If the user is already approved, this approves or rejects their changes to name or school.

    Users may replace their documents, or change their name or school, until you decide. With the
    ETag of `/account-management/{user_id}/` as `If-Match`, you decide only on what you have seen:
    if the account has changed since, the status is 412.
    """
    decision = request.validated
    approved = decision["is_approved"]
    subject = deciding.decide(
        request.work,
        user_id,
        approved,
        decision["is_rejected"],
        decision["rejection_reason"],
        decision["if_match"],
    )
    return presenters.decision(subject, approved)


# This GET has a transaction, because a link to another user's document is recorded in the audit
# trail.
@document.get(access=USER, errors=(UnverifiedStaff, StorageUnavailable), transaction=True)
def get_document(request: Request, type: str, user_id: UUID) -> presenters.DocumentLink:
    """Get a temporary link to a document. Users can get their own documents, and managers any."""
    url = reading.document_url(request.work, type, user_id)
    return presenters.DocumentLink(url=url)
