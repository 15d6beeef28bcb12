from collections.abc import Mapping
from datetime import datetime
from typing import Literal, NotRequired, TypedDict
from uuid import UUID

from competition.core.auth.identity import Kind
from competition.core.lists import Page, Pagination
from competition.core.messages import Message
from competition.core.users.models import User
from competition.core.users.profiles import StaffProfile, staff_profile
from competition.core.work import Work
from competition.plugins.verification import reasons
from competition.plugins.verification.models import (
    REVIEWED,
    Likeness,
    ReviewedField,
    Subject,
    VerificationRequest,
)

VerificationStatus = Literal[
    "email_not_verified", "verified", "pending", "rejected", "not_submitted"
]


class SubmittedDocuments(TypedDict):
    face_id: bool
    id_card: bool
    verification_document: bool


class VerificationData(TypedDict):
    submitted_at: datetime
    updated_at: datetime
    documents: SubmittedDocuments


class IdentityChange(TypedDict):
    """A requested change to an approved identity, which a manager has to decide on."""

    field: ReviewedField
    old: str
    new: str


class SimilarAccount(TypedDict):
    """Another account that may belong to the same person: `reasons` says what the two have in
    common. Relatives may share a phone number."""

    id: UUID
    full_name: str
    reasons: list[Likeness]


class EarlierDecision(TypedDict):
    """The rejection after which the user has sent the documents again. `reviewed_by` is null if the
    account of the manager no longer exists."""

    rejection_reason: str | None
    reviewed_by: StaffProfile | None
    reviewed_at: datetime


class VerificationRecord(TypedDict):
    """The status of a user's verification. `verification_data` is present while the request is
    pending, `rejected_document` if a prepared reason names the document, and `changes` while
    changes are waiting for a manager. `similar_accounts` is present for managers who look at
    another user, and `earlier_decision` if that user has sent documents again after a rejection."""

    status: VerificationStatus
    is_approved: bool
    is_rejected: bool
    is_pending: bool
    rejection_reason: str | None
    rejected_document: NotRequired[reasons.Document]
    changes: NotRequired[list[IdentityChange]]
    verification_data: NotRequired[VerificationData]
    similar_accounts: NotRequired[list[SimilarAccount]]
    earlier_decision: NotRequired[EarlierDecision]


class UploadReceipt(VerificationRecord):
    message: str


class VerificationItem(TypedDict):
    """A user's verification request. `changes` is present while changes are waiting for a
    manager."""

    user_id: UUID
    full_name: str
    email: str
    profile_type: Kind
    role: str
    status: VerificationStatus
    is_pending: bool
    is_approved: bool
    is_rejected: bool
    rejection_reason: str | None
    has_face_id: bool
    has_id_card: bool
    has_verification_document: bool
    changes: NotRequired[list[IdentityChange]]
    similar_accounts: list[SimilarAccount]
    created_at: datetime
    updated_at: datetime
    reviewed_by: StaffProfile | None
    reviewed_at: datetime | None


class VerificationList(TypedDict):
    results: list[VerificationItem]
    pagination: Pagination


class DecisionReceipt(TypedDict):
    message: str


class DocumentLink(TypedDict):
    """A temporary link to a document. It works without headers, for five minutes (by default), and
    no longer than the caller's session."""

    url: str


def status(user: User) -> VerificationStatus:
    if not user.is_email_verified:
        return "email_not_verified"
    return "verified" if user.verification == "approved" else user.verification


def record(user: User, request: VerificationRequest | None) -> VerificationRecord:
    shown = VerificationRecord(
        status=status(user),
        is_approved=user.is_user_verified,
        is_rejected=user.verification == "rejected",
        is_pending=user.verification == "pending",
        rejection_reason=_reason(user, request) if request else None,
    )
    if request is not None and user.verification == "rejected":
        document = reasons.document_of(request.rejection_reason)
        if document is not None:
            shown["rejected_document"] = document
    if request is not None and request.changes:
        shown["changes"] = _changes(user, request.changes)
    if request is not None and user.verification == "pending":
        shown["verification_data"] = VerificationData(
            submitted_at=request.submitted_at,
            updated_at=request.updated_at,
            documents=SubmittedDocuments(
                face_id=user.face_id is not None,
                id_card=user.id_card is not None,
                verification_document=user.verification_document is not None,
            ),
        )
    return shown


def reviewed_record(
    user: User,
    request: VerificationRequest | None,
    similar: list[SimilarAccount],
    earlier: EarlierDecision | None,
) -> VerificationRecord:
    """The record for a manager, who also sees similar accounts and, if there is one, the earlier
    decision."""
    shown = record(user, request)
    shown["similar_accounts"] = similar
    if earlier is not None:
        shown["earlier_decision"] = earlier
    return shown


def _reason(user: User, request: VerificationRequest) -> str | None:
    return None if user.verification == "pending" else reasons.in_words(request.rejection_reason)


def _changes(user: User, wanted: Mapping[str, str]) -> list[IdentityChange]:
    return [
        IdentityChange(field=field, old=getattr(user, field), new=wanted[field])
        for field in REVIEWED
        if field in wanted
    ]


_DECIDED: dict[tuple[Subject, bool], Message] = {
    ("verification", True): Message("The verification has been approved."),
    ("verification", False): Message("The verification has been rejected."),
    ("changes", True): Message("The changes have been approved."),
    ("changes", False): Message("The changes have been rejected."),
}


def decision(subject: Subject, is_approved: bool) -> DecisionReceipt:
    return DecisionReceipt(message=_DECIDED[subject, is_approved])


def receipt(user: User, request: VerificationRequest) -> UploadReceipt:
    message = Message("Your documents have been submitted and will be reviewed.")
    return UploadReceipt(**record(user, request), message=message)


def item(
    work: Work, request: VerificationRequest, similar: list[SimilarAccount]
) -> VerificationItem:
    user = request.user
    shown = VerificationItem(
        user_id=user.id,
        full_name=user.full_name,
        email=user.email,
        profile_type=user.kind,
        role=user.role,
        status=status(user),
        is_pending=user.verification == "pending",
        is_approved=user.is_user_verified,
        is_rejected=user.verification == "rejected",
        rejection_reason=_reason(user, request),
        has_face_id=user.face_id is not None,
        has_id_card=user.id_card is not None,
        has_verification_document=user.verification_document is not None,
        similar_accounts=similar,
        created_at=request.submitted_at,
        updated_at=request.updated_at,
        reviewed_by=None,
        reviewed_at=None,
    )
    if user.verification != "pending":
        shown["reviewed_at"] = request.reviewed_at
        if request.reviewed_by:
            shown["reviewed_by"] = staff_profile(work, request.reviewed_by)
    if request.changes:
        shown["changes"] = _changes(user, request.changes)
    return shown


def verification_list(
    work: Work,
    page: Page[VerificationRequest],
    similar: Mapping[UUID, list[SimilarAccount]],
    url: str,
) -> VerificationList:
    return VerificationList(
        results=[item(work, request, similar[request.user_id]) for request in page.items],
        pagination=page.pagination(url),
    )
