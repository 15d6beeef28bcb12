"""The data of dashboards. The totals are stored, and at most a minute old."""

import typing
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from competition.core.auth.access import has_rank
from competition.core.jobs.aggregates import Aggregate
from competition.core.slots import Contributed
from competition.core.todo import Todo, Waiting
from competition.core.users import headcounts
from competition.core.users.models import Candidate, Staff
from competition.core.work import Work, changing
from competition.plugins.dashboards.presenters import (
    CANDIDATE_DASHBOARD,
    SEASON,
    SEASON_NUMBERS,
    STAFF_DASHBOARD,
    CandidateNumbers,
    WaitingTodo,
    candidate_numbers,
)

# The name under which the stored totals have what waits for staff, by kind.
TODO = "todo"


def of_candidate(work: Work) -> tuple[Candidate, Contributed]:
    """The caller's account, and the data of other plugins on a candidate's dashboard."""
    [contributed] = CANDIDATE_DASHBOARD.load(work, [work.identity.user_id])
    # Only candidates can use the endpoint.
    assert isinstance(work.user, Candidate)
    return work.user, contributed


def of_staff(work: Work) -> tuple[Staff, Mapping[str, Any], list[WaitingTodo], Contributed]:
    """The caller's account, the totals, what waits for staff, and the current data of other
    plugins."""
    [current] = STAFF_DASHBOARD.load(work, [work.identity.user_id])
    # Only staff can use the endpoint.
    assert isinstance(work.user, Staff)
    stored = _stored(work)
    return work.user, totals(work, stored), todo(work, stored), current


def totals(work: Work, stored: Mapping[str, Any]) -> Mapping[str, Any]:
    """The totals by name, `candidates` first, at most a minute old. Each is JSON for the reply."""
    return {name: _json(stored[name], kind) for name, kind in _types(work).items()}


def todo(work: Work, stored: Mapping[str, Any]) -> list[WaitingTodo]:
    """What waits for staff of the caller's rank, at most a minute old. What has waited longest
    comes first."""
    found = [
        WaitingTodo(kind=each.name, count=waiting.count, oldest=waiting.oldest, link=each.link)
        for each in work.runtime.catalogue[Todo].values()
        if has_rank(work.identity, each.rank)
        and (waiting := msgspec.convert(stored[TODO][each.name], Waiting)).count
    ]
    return sorted(found, key=lambda each: (each["oldest"] is None, each["oldest"] or work.now))


def _stored(work: Work) -> Mapping[str, Any]:
    stored = NUMBERS.read(work)
    kinds = work.runtime.catalogue[Todo].keys()
    if stored.keys() != {*_types(work), TODO} or stored[TODO].keys() != kinds:
        # The totals were computed while other plugins were enabled.
        with changing(work) as writer:
            stored = NUMBERS.refresh(writer)
    return stored


def _types(work: Work) -> dict[str, Any]:
    """The shapes of the totals by name."""
    return {"candidates": CandidateNumbers} | {
        field.name: field.type for field in SEASON_NUMBERS.filled(work)
    }


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
    return {
        "candidates": candidate_numbers(headcounts.candidate_counts(work)),
        **others,
        TODO: {name: each.look(work) for name, each in work.runtime.catalogue[Todo].items()},
    }


NUMBERS: Aggregate[dict[str, Any]] = Aggregate("dashboards.season", dict[str, Any], _count)
