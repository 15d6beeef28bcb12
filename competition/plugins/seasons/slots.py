from collections.abc import Collection
from uuid import UUID

from competition.core.seasons import current as seasons
from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.dashboards.offered_slots import CANDIDATE_DASHBOARD
from competition.plugins.people.offered_slots import (
    CANDIDATE_ACCOUNT,
    CANDIDATE_DETAIL,
    OWN_CANDIDATE,
)
from competition.plugins.seasons.presenters import (
    CurrentSeason,
    PastSeason,
    current_season,
    past_seasons,
)
from competition.plugins.seasons.services import past


@fill_slot(CANDIDATE_DETAIL, "seasons")
@fill_slot(CANDIDATE_ACCOUNT, "seasons")
def seasons_before(work: Work, candidate_ids: Collection[UUID]) -> dict[UUID, list[PastSeason]]:
    found = past.of_candidates(work, candidate_ids)
    return {each: past_seasons(rows) for each, rows in found.items()}


@fill_slot(OWN_CANDIDATE, "current_season")
@fill_slot(CANDIDATE_DASHBOARD, "current_season")
def current(work: Work, candidate_ids: Collection[UUID]) -> dict[UUID, CurrentSeason]:
    """The current season, and whether the caller has joined it. `candidate_ids` only contains the
    caller's id, because both replies with this field are about the caller."""
    shown = current_season(seasons.current(work), work.identity.season or 0)
    return dict.fromkeys(candidate_ids, shown)
