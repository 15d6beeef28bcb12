"""The shapes of a user and of both profiles, wherever the service shows one."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, Literal, TypedDict
from uuid import UUID

from sqlalchemy import ARRAY, Row, Uuid, any_, bindparam, select

from competition.core import audit
from competition.core.auth import security_log
from competition.core.auth.access import StaffRole, has_rank
from competition.core.errors import StorageUnavailable
from competition.core.storage import files
from competition.core.users.models import Candidate, ProfileStatus, Staff, User
from competition.core.work import Read, Work

# What profiles show.
_USER = User.__table__.c
_PROFILE = select(
    _USER.id,
    _USER.email,
    _USER.is_email_verified,
    _USER.first_name,
    _USER.last_name,
    _USER.phone,
    _USER.profile_picture,
    _USER.date_joined,
    _USER.updated_at,
    _USER.status,
    _USER.is_active,
    _USER.verification,
    _USER.face_id,
    _USER.id_card,
    _USER.verification_document,
    _USER.school,
    _USER.occupation,
    _USER.role,
)
OF_EDITORS = _PROFILE.where(_USER.id == any_(bindparam("ids", type_=ARRAY(Uuid()))))
# The caller's.
OWN = Read(lambda work: _PROFILE.where(_USER.id == bindparam("user_id")))

DOCUMENTS = ("face_id", "id_card", "verification_document")

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


def profile(work: Work, user: User | Row[Any]) -> Profile:
    # Which has the columns of its kind.
    of_kind: Any = user
    if user.kind == "candidate":
        return candidate_profile(work, of_kind)
    return staff_profile(work, of_kind)


def candidate_profile(work: Work, candidate: Candidate | Row[Any]) -> CandidateProfile:
    return CandidateProfile(
        **_profile(work, candidate),
        profile_type="candidate",
        school=candidate.school,
        role=candidate.role,  # type: ignore[typeddict-item]  # the table's constraint says so
    )


def staff_profile(work: Work, staff: Staff | Row[Any]) -> StaffProfile:
    return StaffProfile(
        **_profile(work, staff),
        profile_type="staff",
        occupation=staff.occupation,
        role=staff.role,  # type: ignore[typeddict-item]  # the table's constraint says so
    )


def editor_profile(work: Work, staff: Staff | None) -> StaffProfile | None:
    """The profile of whoever made or changed something, the same one wherever a reply has it; None
    when the account is gone."""
    if staff is None:
        return None
    if ("editor", staff.id) not in work.held:
        work.held["editor", staff.id] = staff_profile(work, staff)
    profile: StaffProfile = work.held["editor", staff.id]
    return profile


def editor_profiles(work: Work, ids: Iterable[UUID | None]) -> dict[UUID, StaffProfile]:
    """The profiles of those who made or changed what is listed, by their ids, without accounts that
    are gone."""
    rows = work.db.read(OF_EDITORS, {"ids": list({each for each in ids if each is not None})})
    return {row.id: staff_profile(work, row) for row in rows}


def sees_documents(work: Work, user_id: UUID) -> bool:
    """Whether the caller may see a user's identity documents: the user, and managers or higher. An
    admin may not."""
    actor = work.actor
    return actor is not None and (actor.user_id == user_id or has_rank(actor, StaffRole.MANAGER))


def record_links(work: Work, user_id: UUID, documents: Collection[str]) -> None:
    """Of links to identity documents that are given out: each is in the security log, and in the
    audit trail too if it is to somebody else's."""
    names = " ".join(documents)
    security_log.tell_committed(work, "document_link", user_id=user_id, documents=names)
    if work.actor is None or work.actor.user_id != user_id:
        audit.record(work, "document.link", target=user_id, subject=names)


def _profile(work: Work, user: User | Row[Any]) -> ProfileShape:
    shown = sees_documents(work, user.id)
    documents = [name for name in DOCUMENTS if shown and getattr(user, name)]
    if documents:
        record_links(work, user.id, documents)
    return ProfileShape(
        user=user_shape(work, user),
        status=user.status,
        is_active=user.is_active,
        is_user_verified=user.verification == "approved",
        face_id=_paper(work, user.face_id if shown else None),
        id_card=_paper(work, user.id_card if shown else None),
        verification_document=_paper(work, user.verification_document if shown else None),
        created_at=user.date_joined,
        updated_at=user.updated_at,
    )


def user_shape(work: Work, user: User | Row[Any]) -> UserShape:
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


def _paper(work: Work, key: str | None) -> str | None:
    return _link(work, key, private=True)


def _link(work: Work, key: str | None, *, private: bool = False) -> str | None:
    if key is None:
        return None
    try:
        return files.link(work, key, private=private)
    except StorageUnavailable:
        # A profile without its picture is better than no profile.
        return None
