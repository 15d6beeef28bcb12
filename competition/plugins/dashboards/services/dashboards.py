"""The data of dashboards. The totals are stored, and at most a minute old."""

import typing
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import Row, select

from competition.core.auth.access import outranks_or_equals
from competition.core.days import count_by_day, last_days
from competition.core.jobs.aggregates import Aggregate
from competition.core.seasons import current as seasons
from competition.core.slots import Contributed
from competition.core.todo import Todo, Waiting
from competition.core.users import headcounts
from competition.core.users.models import Candidate
from competition.core.work import Work, changing
from competition.plugins.dashboards.offered_slots import (
    CANDIDATE_DASHBOARD,
    DAY_NUMBERS,
    SEASON,
    SEASON_NUMBERS,
    STAFF_DASHBOARD,
)
from competition.plugins.dashboards.presenters import (
    CandidateNumbers,
    DayNumbers,
    WaitingTodo,
    candidate_numbers,
    day_numbers,
)

# The keys in the stored totals under which the to-dos and the numbers of the last days are stored.
TODO = "todo"
BY_DAY = "by_day"
DAYS = 30


def of_candidate(work: Work, season_id: int | None) -> tuple[Row[Any], Contributed]:
    """The caller's account, and the data of other plugins on a candidate's dashboard.

    The data is about the season `season_id`, or about the current season if it is None. Raises
    Invalid if there is no such season.
    """
    seasons.ask(work, season_id)
    [contributed] = CANDIDATE_DASHBOARD.load(work, [work.identity.user_id])
    assert isinstance(work.user, Row)
    return work.user, contributed


def of_staff(
    work: Work, season_id: int | None
) -> tuple[Row[Any], Mapping[str, Any], list[WaitingTodo], list[DayNumbers], Contributed]:
    """The data of a staff dashboard: the caller's account, the totals, the to-dos, the numbers by
    day, and the current data of other plugins.

    The data is about the season `season_id`, or about the current season if it is None. Raises
    Invalid if there is no such season.
    """
    seasons.ask(work, season_id)
    [current] = STAFF_DASHBOARD.load(work, [work.identity.user_id])
    assert isinstance(work.user, Row)
    stored = _stored(work)
    if seasons.asked(work) is not None:
        [others] = SEASON_NUMBERS.load(work, [SEASON])
        stored = {**stored, **others, BY_DAY: _count_by_day(work)}
    return (
        work.user,
        totals(work, stored),
        _todo(work, stored, work.user.role),
        _by_day(work, stored),
        current,
    )


def todo_of(work: Work, role: str) -> list[WaitingTodo]:
    """The to-dos of staff with this role, as their dashboard shows them."""
    return _todo(work, _stored(work), role)


def totals(work: Work, stored: Mapping[str, Any]) -> Mapping[str, Any]:
    """The totals by name, `candidates` first, each encoded as JSON for the reply."""
    return {name: _json(stored[name], kind) for name, kind in _types(work).items()}


def _stored(work: Work) -> Mapping[str, Any]:
    stored = NUMBERS.read(work)
    if not _is_complete(work, stored):
        # The totals were computed while other plugins were enabled.
        with changing(work) as writer:
            stored = NUMBERS.refresh(writer)
    return stored


def _is_complete(work: Work, stored: Mapping[str, Any]) -> bool:
    """Whether the stored totals are those of the enabled plugins."""
    return (
        stored.keys() == {*_types(work), TODO, BY_DAY}
        and stored[TODO].keys() == work.runtime.catalogue[Todo].keys()
        and stored[BY_DAY][-1].keys() == {*_fields_of_days(work)}
    )


def _fields_of_days(work: Work) -> list[str]:
    return ["day", "registrations", *(field.name for field in DAY_NUMBERS.filled(work))]


def _by_day(work: Work, stored: Mapping[str, Any]) -> list[DayNumbers]:
    """The numbers of the last days, with their fields in the order of DayNumbers."""
    fields = _fields_of_days(work)
    days: Any = [{name: each[name] for name in fields} for each in stored[BY_DAY]]
    return days  # type: ignore[no-any-return]  # JSON of the same shape


def _todo(work: Work, stored: Mapping[str, Any], role: str) -> list[WaitingTodo]:
    """The to-dos of staff with this role, at most a minute old. The one that has waited longest
    comes first."""
    found = [
        WaitingTodo(
            kind=each.name,
            count=waiting.count,
            oldest=waiting.oldest,
            link=waiting.link or each.link,
        )
        for each in work.runtime.catalogue[Todo].values()
        if outranks_or_equals(role, each.rank)
        and (waiting := msgspec.convert(stored[TODO][each.name], Waiting)).count
    ]
    return sorted(found, key=lambda each: (each["oldest"] is None, each["oldest"] or work.now))


def _types(work: Work) -> dict[str, Any]:
    """The type of each total, by the total's name."""
    return {"candidates": CandidateNumbers} | {
        field.name: field.type for field in SEASON_NUMBERS.filled(work)
    }


def _json(value: Any, kind: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(_in_order(msgspec.convert(value, kind), kind)))


def _in_order(value: Any, kind: Any) -> Any:
    """The value with its fields in the order of the TypedDict `kind`, because PostgreSQL's JSONB
    does not preserve the order. A value of another type is returned unchanged."""
    if not typing.is_typeddict(kind):
        return value
    return {name: _in_order(value[name], below) for name, below in _fields(kind).items()}


# Cached, because each request for a staff dashboard needs the fields, and resolving annotations is
# slow. There is one entry per TypedDict.
@cache
def _fields(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _count(work: Work) -> dict[str, Any]:
    [others] = SEASON_NUMBERS.load(work, [SEASON])
    return {
        "candidates": candidate_numbers(headcounts.candidate_counts(work)),
        **others,
        TODO: {name: each.look(work) for name, each in work.runtime.catalogue[Todo].items()},
        BY_DAY: _count_by_day(work),
    }


def _count_by_day(work: Work) -> list[DayNumbers]:
    days = last_days(work, DAYS)
    registrations = count_by_day(work, select(Candidate.date_joined), days)
    others = DAY_NUMBERS.load(work, days)
    return [
        day_numbers(day, registrations[day], other) for day, other in zip(days, others, strict=True)
    ]


NUMBERS: Aggregate[dict[str, Any]] = Aggregate("dashboards.season", dict[str, Any], _count)
