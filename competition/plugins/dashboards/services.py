"""What dashboards show. The totals are stored, and at most a minute old."""

import typing
from functools import cache
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
    """The caller's account, and what other plugins put on a candidate's dashboard."""
    candidate = work.db.get_one(Candidate, work.identity.user_id)
    [season] = CANDIDATE_DASHBOARD.load(work, [candidate.id])
    return candidate, season


def of_staff(work: Work) -> tuple[Staff, dict[str, Any], Contributed]:
    """The caller's account, the totals, and what other plugins show as of now."""
    staff = work.db.get_one(Staff, work.identity.user_id)
    [current] = STAFF_DASHBOARD.load(work, [staff.id])
    return staff, season_numbers(work), current


def season_numbers(work: Work) -> dict[str, Any]:
    """The totals, by the names of their parts, `candidates` first; at most a minute old."""
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
    """The value with its fields in the order of the shape: a stored one has them in the
    database's."""
    if not typing.is_typeddict(kind):
        return value
    return {name: _in_order(value[name], below) for name, below in _fields(kind).items()}


@cache
def _fields(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _count(work: Work) -> dict[str, Any]:
    [others] = SEASON_NUMBERS.load(work, [SEASON])
    return {"candidates": candidate_numbers(headcounts.candidate_counts(work)), **others}


NUMBERS: Aggregate[dict[str, Any]] = Aggregate("dashboards.season", dict[str, Any], _count)
