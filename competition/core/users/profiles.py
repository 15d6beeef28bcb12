"""The shapes of a user and of both profiles, wherever the service shows one."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Literal, TypedDict
from uuid import UUID

from sqlalchemy import ARRAY, Uuid, any_, bindparam, select

from competition.core import audit
from competition.core.auth import security_log
from competition.core.auth.access import StaffRole, has_rank
from competition.core.errors import StorageUnavailable
from competition.core.storage import files
from competition.core.users.models import Candidate, ProfileStatus, Staff, User
from competition.core.work import Work

DOCUMENTS = ("face_id", "id_card", "verification_document")
EDITORS = select(Staff).where(Staff.id == any_(bindparam("ids", type_=ARRAY(Uuid()))))

CandidateRoleName = Literal["screening", "league", "final", "winner"]
StaffRoleName = Literal["volunteer", "moderator", "admin", "manager", "superadmin", "sponsor"]


class UserShape(TypedDict):
    id: UUID
    email: str
    is_email_verified: bool
    first_name: str
    last_name: str
    phone: str
    profile_picture: str | None
    date_joined: datetime


class ProfileShape(TypedDict):
    """The fields that profiles of candidates and of staff share. The three documents are temporary
    URLs, null for a viewer who may not see them (decisions F9)."""

    user: UserShape
    status: ProfileStatus
    is_active: bool
    is_user_verified: bool
    face_id: str | None
    id_card: str | None
    verification_document: str | None
    created_at: datetime
    updated_at: datetime


class CandidateProfile(ProfileShape):
    profile_type: Literal["candidate"]
    school: str
    role: CandidateRoleName


class StaffProfile(ProfileShape):
    profile_type: Literal["staff"]
    occupation: str
    role: StaffRoleName


Profile = CandidateProfile | StaffProfile


class DocumentLinks(TypedDict):
    face_id: str | None
    id_card: str | None
    verification_document: str | None


# In lists, and in profiles of authors: nobody looks for an identity document there.
NO_LINKS = DocumentLinks(face_id=None, id_card=None, verification_document=None)


def profile(work: Work, user: User, links: DocumentLinks = NO_LINKS) -> Profile:
    if isinstance(user, Candidate):
        return candidate_profile(work, user, links)
    assert isinstance(user, Staff)
    return staff_profile(work, user, links)


def candidate_profile(
    work: Work, candidate: Candidate, links: DocumentLinks = NO_LINKS
) -> CandidateProfile:
    return CandidateProfile(
        **_profile(work, candidate, links),
        profile_type="candidate",
        school=candidate.school,
        role=candidate.role,  # type: ignore[typeddict-item]  # the table's constraint says so
    )


def staff_profile(work: Work, staff: Staff, links: DocumentLinks = NO_LINKS) -> StaffProfile:
    return StaffProfile(
        **_profile(work, staff, links),
        profile_type="staff",
        occupation=staff.occupation,
        role=staff.role,  # type: ignore[typeddict-item]  # the table's constraint says so
    )


def editor_profile(work: Work, staff: Staff | None) -> StaffProfile | None:
    """The profile of the member of staff who made or changed something; None if the account is
    gone."""
    return None if staff is None else staff_profile(work, staff)


def editor_profiles(work: Work, ids: Iterable[UUID | None]) -> dict[UUID | None, StaffProfile]:
    """The profiles of the staff who made or changed listed things, by id, without accounts that are
    gone."""
    known = {each for each in ids if each is not None}
    editors = work.db.scalars(EDITORS, {"ids": list(known)}) if known else ()
    return {staff.id: staff_profile(work, staff) for staff in editors}


def sees_documents(work: Work, user_id: UUID) -> bool:
    """Whether the caller may see a user's identity documents: the user, and managers or higher. An
    admin may not."""
    actor = work.actor
    return actor is not None and (actor.user_id == user_id or has_rank(actor, StaffRole.MANAGER))


def document_links(work: Work, user: User) -> DocumentLinks:
    """Temporary links to a user's identity documents, for the reply to this request (decisions F9);
    null for a caller who may not see them. They are recorded as given out."""
    if not sees_documents(work, user.id):
        return NO_LINKS
    given = [name for name in DOCUMENTS if getattr(user, name)]
    if given:
        record_links(work, user.id, given)
    return DocumentLinks(
        face_id=_link(work, user.face_id, private=True),
        id_card=_link(work, user.id_card, private=True),
        verification_document=_link(work, user.verification_document, private=True),
    )


def record_links(work: Work, user_id: UUID, documents: Collection[str]) -> None:
    """Record that links to identity documents are given out: in the security log, and also in the
    audit trail if they are somebody else's than the caller's."""
    names = " ".join(documents)
    security_log.tell_committed(work, "document_link", user_id=user_id, documents=names)
    if work.actor is None or work.actor.user_id != user_id:
        audit.record(work, "document.link", target=user_id, subject=names)


def _profile(work: Work, user: User, links: DocumentLinks) -> ProfileShape:
    return ProfileShape(
        user=user_shape(work, user),
        status=user.status,
        is_active=user.is_active,
        is_user_verified=user.is_user_verified,
        **links,
        created_at=user.date_joined,
        updated_at=user.updated_at,
    )


def user_shape(work: Work, user: User) -> UserShape:
    return UserShape(
        id=user.id,
        email=user.email,
        is_email_verified=user.is_email_verified,
        first_name=user.first_name,
        last_name=user.last_name,
        phone=user.phone,
        profile_picture=_link(work, user.profile_picture),
        date_joined=user.date_joined,
    )


def _link(work: Work, key: str | None, *, private: bool = False) -> str | None:
    if key is None:
        return None
    try:
        return files.link(work, key, private=private)
    except StorageUnavailable:
        # A profile without its picture is better than no profile.
        return None
