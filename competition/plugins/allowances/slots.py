"""Add candidates' extra time to the replies with the details of a candidate."""

from collections.abc import Collection
from uuid import UUID

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.allowances.presenters import CandidateAllowances, given_time
from competition.plugins.allowances.services import listing, percent
from competition.plugins.people.offered_slots import CANDIDATE_DETAIL


def of_candidate(work: Work, candidate_id: UUID) -> CandidateAllowances:
    in_all = percent.of_candidate(work, candidate_id)
    return CandidateAllowances(
        percent=in_all.percent,
        reason=in_all.reason,
        updated_at=in_all.updated_at,
        exams=[given_time(row) for row in listing.of_candidate(work, candidate_id)],
    )


@fill_slot(CANDIDATE_DETAIL, "allowances")
def of_candidates(work: Work, candidate_ids: Collection[UUID]) -> dict[UUID, CandidateAllowances]:
    """The extra time of each candidate. This takes a few queries for each candidate, but replies
    show only one candidate."""
    return {each: of_candidate(work, each) for each in candidate_ids}
