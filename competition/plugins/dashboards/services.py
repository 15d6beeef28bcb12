"""The data of dashboards. The totals are stored, and at most a minute old."""

import typing
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from competition.core.jobs.aggregates import Aggregate
from competition.core.slots import Contributed
from competition.core.users import headcounts
from competition.core.users.models import Candidate, Staff
from competition.core.work import Work, changing
from competition.plugins.dashboards.presenters import (
    CANDIDATE_DASHBOARD,
    SEASON,
    SEASON_NUMBERS,
    STAFF_DASHBOARD,
    CandidateNumbers,
    candidate_numbers,
)


def of_candidate(work: Work) -> tuple[Candidate, Contributed]:
    """The caller's account, and the data of other plugins on a candidate's dashboard."""
    [season] = CANDIDATE_DASHBOARD.load(work, [work.identity.user_id])
    # Only candidates can use the endpoint.
    assert isinstance(work.user, Candidate)
    return work.user, season


def of_staff(work: Work) -> tuple[Staff, Mapping[str, Any], Contributed]:
    """The caller's account, the totals, and the current data of other plugins."""
    [current] = STAFF_DASHBOARD.load(work, [work.identity.user_id])
    # Only staff can use the endpoint.
    assert isinstance(work.user, Staff)
    return work.user, season_numbers(work), current


def season_numbers(work: Work) -> Mapping[str, Any]:
    """The totals by name, `candidates` first, at most a minute old. Each is JSON for the reply."""
    types = {"candidates": CandidateNumbers} | {
        field.name: field.type for field in SEASON_NUMBERS.filled(work)
    }
    stored = NUMBERS.read(work)
    if stored.keys() != types.keys():
        # The totals were computed while other plugins were enabled.
        with changing(work) as writer:
            stored = NUMBERS.refresh(writer)
    return {name: _json(stored[name], kind) for name, kind in types.items()}


def _json(value: Any, kind: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(_in_order(msgspec.convert(value, kind), kind)))


def _in_order(value: Any, kind: Any) -> Any:
    """The value with its fields in the order of the shape, which PostgreSQL's JSONB does not
    preserve."""
    if not typing.is_typeddict(kind):
        return value
    return {name: _in_order(value[name], below) for name, below in _fields(kind).items()}


# Cached, because each request for a staff dashboard needs them, and resolving annotations is slow.
# There is one entry per shape.
@cache
def _fields(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _count(work: Work) -> dict[str, Any]:
    [others] = SEASON_NUMBERS.load(work, [SEASON])
    return {"candidates": candidate_numbers(headcounts.candidate_counts(work)), **others}


NUMBERS: Aggregate[dict[str, Any]] = Aggregate("dashboards.season", dict[str, Any], _count)
