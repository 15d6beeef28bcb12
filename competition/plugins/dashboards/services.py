"""What dashboards show. The totals are stored, and at most a minute old."""

import typing
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import Row, Select, bindparam, select

from competition.core.auth.identity import Identity
from competition.core.jobs.aggregates import Aggregate
from competition.core.kept import Kept
from competition.core.users import headcounts
from competition.core.users.models import User
from competition.core.web.pagination import Query
from competition.core.web.slots import Contributed
from competition.core.work import Read, Work
from competition.plugins.dashboards.presenters import (
    CANDIDATE_DASHBOARD,
    SEASON,
    SEASON_NUMBERS,
    STAFF_DASHBOARD,
    CandidateNumbers,
    candidate_numbers,
)

# What of the account is not of the identity.
_ACCOUNT = [
    User.__table__.c[name]
    for name in ("email", "is_active", "date_joined", "phone", "school", "occupation")
]


def first_read(_: Query) -> Read:
    """What `of_candidate` and `of_staff` read first: the caller's account."""
    return Read(_account)


def _account(work: Work) -> Select[Any]:
    return select(*_ACCOUNT).where(User.__table__.c.id == bindparam("user_id"))


def of_candidate(work: Work) -> tuple[Identity, Row[Any], Contributed]:
    """The caller with the account, and what other plugins put on a candidate's dashboard."""
    [account] = work.read(Read(_account))
    [season] = CANDIDATE_DASHBOARD.load(work, [work.identity.user_id])
    return work.identity, account, season


def of_staff(work: Work) -> tuple[Identity, Row[Any], Mapping[str, Any], Contributed]:
    """The caller with the account, the totals, and what other plugins show as of now."""
    [account] = work.read(Read(_account))
    [current] = STAFF_DASHBOARD.load(work, [work.identity.user_id])
    return work.identity, account, season_numbers(work), current


def season_numbers(work: Work) -> Mapping[str, Any]:
    """The totals, by the names of their parts, `candidates` first; at most a minute old. Each is
    JSON, as a reply has it."""
    types = {"candidates": CandidateNumbers} | {
        field.name: field.type for field in SEASON_NUMBERS.filled(work)
    }
    kept = NUMBERS.read(work)
    if kept.keys() != types.keys():
        # Counted when other plugins were on.
        kept = NUMBERS.refresh(work)

    def make() -> dict[str, msgspec.Raw]:
        return {name: _json(kept[name], kind) for name, kind in types.items()}

    # They stay the same for half a minute, and everybody sees the same ones.
    return work.runtime.part(Kept).of((NUMBERS.name, msgspec.json.encode(kept)), make)


def _json(value: Any, kind: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(_in_order(msgspec.convert(value, kind), kind)))


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
