"""The last days, and counts of rows by day, in the league's time zone."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any

from pyramid.config import Configurator
from sqlalchemy import ARRAY, DateTime, Select, func, literal, select

from competition.core.work import Work

# The period that counts as recent in the totals of the staff dashboard.
RECENT = timedelta(days=7)


@dataclass(frozen=True)
class LeagueTime:
    """The league's time zone. The plugin `pages` has the setting; without it, the zone is UTC."""

    zone: tzinfo = UTC


def last_days(work: Work, count: int) -> list[date]:
    """The last `count` days in the league's time zone, the earliest first. The last one is
    today."""
    today = work.now.astimezone(work.runtime[LeagueTime].zone).date()
    return [today - timedelta(days=ago) for ago in reversed(range(count))]


def count_by_day(work: Work, times: Select[Any], days: Collection[date]) -> dict[date, int]:
    """Count the rows of a SELECT by day. The SELECT has one column, which is a time.

    `days` are consecutive, the earliest first, and not empty. The result has a number for each of
    them. Times outside these days are not counted. The service computes when each day begins,
    because PostgreSQL may not know the time zone.
    """
    zone = work.runtime[LeagueTime].zone
    # The beginning of each day, and the end of the last day.
    borders = [
        datetime.combine(day, time(), zone).astimezone(UTC)
        for day in (*days, max(days) + timedelta(days=1))
    ]
    [column] = (found := times.subquery()).c
    number = func.width_bucket(column, literal(borders, ARRAY(DateTime(timezone=True))))
    rows = work.db.execute(
        select(number, func.count())
        .select_from(found)
        .where(column >= borders[0], column < borders[-1])
        .group_by(number)
    )
    counts: dict[int, int] = {at: count for at, count in rows}
    return {day: counts.get(at, 0) for at, day in enumerate(days, start=1)}


def includeme(config: Configurator) -> None:
    config.registry.runtime.provide(LeagueTime, LeagueTime())
