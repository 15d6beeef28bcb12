"""Let a candidate join the current season."""

from collections.abc import Mapping
from typing import Any

from competition.core import audit
from competition.core.errors import Invalid
from competition.core.messages import Message
from competition.core.seasons import current as seasons
from competition.core.seasons.events import CandidateJoined
from competition.core.users import accounts
from competition.core.users.models import Candidate
from competition.core.work import Work

JOIN = "season.join"


def join(work: Work, given: Mapping[str, Any]) -> Candidate:
    """Let the caller join the current season, and confirm the school and the year.

    A changed school is as in the own account: for an approved candidate, staff have to approve it
    before it counts. Raises Invalid if an approved candidate gives a lower year.
    """
    candidate = accounts.locked(work, Candidate, work.identity.user_id)
    season_id = seasons.current(work).id
    before = {name: getattr(candidate, name) for name in ("school", "year")}
    if given.get("school", candidate.school) != candidate.school:
        accounts.change_school(work, candidate, given["school"], vouched=False)
    if "year" in given:
        _set_year(candidate, given["year"])
    is_new = accounts.join_season(work, candidate, season_id)
    candidate.updated_at = work.now
    after = {name: getattr(candidate, name) for name in before}
    audit.record_change(
        work, accounts.CHANGE, "", before, after, target=candidate.id, erasable=True
    )
    if is_new:
        audit.record(work, JOIN, target=candidate.id, subject=f"season {season_id}")
    work.db.flush()
    if is_new:
        work.emit(CandidateJoined(work, candidate.id, given["contributed"]))
    work.db.refresh(candidate, ["season"])
    return candidate


def _set_year(candidate: Candidate, year: int | None) -> None:
    """Set the year. Raises Invalid if it is lower than the year of an approved candidate, because
    an exam for a lower year may be easier."""
    if year == candidate.year:
        return
    is_lower = candidate.year is not None and (year is None or year < candidate.year)
    if candidate.is_user_verified and is_lower:
        raise Invalid.field(
            "year", Message("Only your school or the organisers can set a lower year.")
        )
    candidate.year = year
