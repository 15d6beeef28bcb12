"""Let a candidate join the current season."""

from collections.abc import Mapping
from typing import Any

from competition.core import audit
from competition.core.errors import Invalid
from competition.core.messages import Message
from competition.core.seasons import current as seasons
from competition.core.seasons.events import CandidateJoined
from competition.core.users import accounts, schools
from competition.core.users.events import AccountChanging
from competition.core.users.models import Candidate
from competition.core.work import Work

JOIN = "season.join"


def join(work: Work, given: Mapping[str, Any]) -> Candidate:
    """Let the caller join the current season, and confirm the school and the year.

    A new school is treated as in a change of the candidate's own account: if the candidate is
    approved, staff have to approve the school before it counts. Raises Invalid if candidates can't
    choose the school, or if an approved candidate gives a lower year.
    """
    if "school" in given:
        given = {**given, "school": _school(work, given["school"])}
    season_id = seasons.joinable(work).id
    candidate = accounts.locked(work, Candidate, work.identity.user_id)
    before = {name: getattr(candidate, name) for name in ("school", "year")}
    if given.get("school", candidate.school) != candidate.school:
        values = {"school": given["school"]}
        work.emit(AccountChanging(work, candidate.id, values))
        if "school" in values:
            accounts.change_school(work, candidate, values["school"], vouched=False)
    if "year" in given:
        _set_year(candidate, given["year"])
    # Also true for candidates who only count as joined: they confirm now, and a guardian may have
    # to agree.
    confirms = (candidate.season_id or 0) < season_id
    is_new = accounts.join_season(work, candidate, season_id)
    candidate.updated_at = work.now
    after = {name: getattr(candidate, name) for name in before}
    audit.record_change(
        work, accounts.CHANGE, "", before, after, target=candidate.id, erasable=True
    )
    if is_new:
        audit.record(work, JOIN, target=candidate.id, subject=f"season {season_id}")
    work.db.flush()
    if confirms:
        work.emit(CandidateJoined(work, candidate.id, given["contributed"]))
    work.db.refresh(candidate, ["season"])
    return candidate


def _school(work: Work, typed: str) -> str:
    """The registered name of the school whose name the caller has typed. Raises Invalid if
    candidates can't choose the school, unless it is already the caller's school."""
    schools.hold_names(work)
    own = schools.own_name(work, typed)
    return own if own == getattr(work.user, "school", None) else schools.chosen(work, typed)


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
