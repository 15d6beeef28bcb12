"""The shapes of users, candidates and staff in the API."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal, TypedDict
from uuid import UUID

from sqlalchemy import Row, any_, bindparam, select

from competition.core.auth.access import CandidateRole, StaffRole
from competition.core.database import UUIDS
from competition.core.messages import Language
from competition.core.users.attachments import link
from competition.core.users.models import ACCOUNT, USERS, Candidate, ProfileStatus, Staff, User
from competition.core.work import Work

EDITORS = select(*ACCOUNT).where(
    USERS.c.kind == "staff", USERS.c.id == any_(bindparam("ids", type_=UUIDS))
)


class DocumentLinks(TypedDict):
    face_id: str | None
    id_card: str | None
    verification_document: str | None


# For profiles without links to identity documents, such as those in lists and those of staff who
# created or changed something.
NO_LINKS = DocumentLinks(face_id=None, id_card=None, verification_document=None)


class UserShape(TypedDict):
    id: UUID
    email: str
    is_email_verified: bool
    first_name: str
    last_name: str
    phone: str
    profile_picture: str | None
    language: Language | None
    date_joined: datetime


class ProfileShape(TypedDict):
    """The fields that profiles of candidates and of staff share. `face_id`, `id_card` and
    `verification_document` are temporary URLs of identity documents. They are null if there is no
    such document, if you may not see it, and in replies without documents, such as lists."""

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
    role: CandidateRole
    year: int | None
    group: str
    external_id: str | None
    has_email: bool
    season: int


class StaffProfile(ProfileShape):
    profile_type: Literal["staff"]
    occupation: str
    role: StaffRole


Profile = CandidateProfile | StaffProfile


def profile(work: Work, user: User, links: DocumentLinks = NO_LINKS) -> Profile:
    if isinstance(user, Candidate):
        return candidate_profile(work, user, links)
    assert isinstance(user, Staff)
    return staff_profile(work, user, links)


def candidate_profile(
    work: Work, candidate: Candidate | Row[Any], links: DocumentLinks = NO_LINKS
) -> CandidateProfile:
    return CandidateProfile(
        **_profile(work, candidate, links),
        profile_type="candidate",
        school=candidate.school,
        role=CandidateRole(candidate.role),
        year=candidate.year,
        group=candidate.group,
        external_id=candidate.external_id,
        has_email=candidate.has_email,
        season=candidate.season,
    )


def staff_profile(
    work: Work, staff: Staff | Row[Any], links: DocumentLinks = NO_LINKS
) -> StaffProfile:
    return StaffProfile(
        **_profile(work, staff, links),
        profile_type="staff",
        occupation=staff.occupation,
        role=StaffRole(staff.role),
    )


def editor_profile(work: Work, staff: Staff | None) -> StaffProfile | None:
    """The profile of a member of staff who created or changed something; None if the account was
    deleted."""
    return None if staff is None else staff_profile(work, staff)


def editor_profiles(work: Work, ids: Iterable[UUID | None]) -> dict[UUID | None, StaffProfile]:
    """The profiles of the staff who created or changed the items of a list, by id. Deleted accounts
    are left out."""
    known = {each for each in ids if each is not None}
    editors = work.db.execute(EDITORS, {"ids": list(known)}) if known else ()
    return {staff.id: staff_profile(work, staff) for staff in editors}


def without_contacts(profile: StaffProfile) -> StaffProfile:
    """The profile with an empty email address and phone number, for callers who may see only the
    name of this member of staff."""
    user: UserShape = {**profile["user"], "email": "", "phone": ""}
    return {**profile, "user": user}


def _profile(work: Work, user: User | Row[Any], links: DocumentLinks) -> ProfileShape:
    return ProfileShape(
        user=user_shape(work, user),
        status=user.status,
        is_active=user.is_active,
        is_user_verified=user.is_user_verified,
        **links,
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
        profile_picture=link(work, user.profile_picture),
        language=user.language,
        date_joined=user.date_joined,
    )
