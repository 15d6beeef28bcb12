"""The profile of a candidate or of a member of staff."""

from typing import Annotated, Any, NotRequired

from sqlalchemy import Row

from competition.core.slots import Contributed, spread
from competition.core.users.models import Candidate
from competition.core.users.profiles import (
    CandidateProfile,
    DocumentLinks,
    StaffProfile,
    candidate_profile,
    staff_profile,
)
from competition.core.work import Work
from competition.plugins.people.offered_slots import CANDIDATE_DETAIL, OWN_CANDIDATE


class OwnStaffProfile(StaffProfile):
    """The caller's own profile as a member of staff. `tour_available` is true if the get-started
    tour is open to the caller."""

    tour_available: bool


class CandidateDetail(CandidateProfile):
    contributed: NotRequired[Annotated[Contributed, CANDIDATE_DETAIL]]


class OwnCandidateProfile(CandidateProfile):
    """The caller's own profile as a candidate, with fields of other plugins."""

    contributed: NotRequired[Annotated[Contributed, OWN_CANDIDATE]]


def own_candidate_profile(
    work: Work, caller: Row[Any], links: DocumentLinks
) -> OwnCandidateProfile:
    [contributed] = OWN_CANDIDATE.load(work, [caller.id])
    profile = candidate_profile(work, caller, links)
    return spread(OwnCandidateProfile(**profile, contributed=contributed))


def own_staff_profile(
    work: Work, staff: Row[Any], links: DocumentLinks, *, tour_available: bool
) -> OwnStaffProfile:
    return OwnStaffProfile(**staff_profile(work, staff, links), tour_available=tour_available)


def candidate_detail(work: Work, candidate: Candidate, links: DocumentLinks) -> CandidateDetail:
    [contributed] = CANDIDATE_DETAIL.load(work, [candidate.id])
    profile = candidate_profile(work, candidate, links)
    return spread(CandidateDetail(**profile, contributed=contributed))
