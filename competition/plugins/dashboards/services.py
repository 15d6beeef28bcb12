"""What dashboards show; the numbers of the whole season are kept for a minute."""

import typing
from typing import Any

import msgspec

from competition.core.jobs.aggregates import Aggregate
from competition.core.users import headcounts
from competition.core.users.models import Candidate, Staff
from competition.core.web.slots import Contributed, Field, fields_of
from competition.core.work import Work
from competition.plugins.dashboards.presenters import (
    CANDIDATE_DASHBOARD,
    SEASON,
    SEASON_NUMBERS,
    STAFF_DASHBOARD,
    CandidateNumbers,
    candidate_numbers,
)


def of_candidate(work: Work) -> tuple[Candidate, Contributed]:
    """The caller, and what others show of their season."""
    candidate = work.db.get_one(Candidate, work.identity.user_id)
    [season] = CANDIDATE_DASHBOARD.load(work, [candidate.id])
    return candidate, season


def of_staff(work: Work) -> tuple[Staff, dict[str, Any], Contributed]:
    """The caller, the numbers of the season, and what is current."""
    staff = work.db.get_one(Staff, work.identity.user_id)
    [current] = STAFF_DASHBOARD.load(work, [staff.id])
    return staff, season_numbers(work), current


def season_numbers(work: Work) -> dict[str, Any]:
    """By the names of their parts, `candidates` first; at most a minute old."""
    types = {"candidates": CandidateNumbers} | {
        field.name: field.type
        for field in fields_of(SEASON_NUMBERS, work.runtime.catalogue[Field].values())
    }
    kept = NUMBERS.read(work)
    if kept.keys() != types.keys():
        # Counted when other plugins were on.
        kept = NUMBERS.refresh(work)
    return {
        name: _in_order(msgspec.convert(kept[name], kind), kind) for name, kind in types.items()
    }


def _in_order(value: Any, kind: Any) -> Any:
    """With the fields in the order of the shape: a kept value has them in the database's."""
    if not typing.is_typeddict(kind):
        return value
    return {
        name: _in_order(value[name], below) for name, below in typing.get_type_hints(kind).items()
    }


def _count(work: Work) -> dict[str, Any]:
    [others] = SEASON_NUMBERS.load(work, [SEASON])
    return {"candidates": candidate_numbers(headcounts.candidate_counts(work)), **others}


NUMBERS: Aggregate[dict[str, Any]] = Aggregate("dashboards.season", dict[str, Any], _count)
