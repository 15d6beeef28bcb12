"""Seasons: open the next year of the league, and let candidates join it.

The module `competition.core.seasons` decides which season is current, and what belongs to it. This
plugin opens a season, undoes the opening, and stores which stage each candidate had reached in
earlier seasons.
"""

from pyramid.config import Configurator

from competition.core.limits.counters import parse_rates

REQUIRES = ("exams", "people", "sittings")

# How often a user may list the seasons. Every page that shows a past season requests the list.
RATE = parse_rates("60/minute")


def includeme(config: Configurator) -> None:
    config.add_ceiling("seasons", lambda settings: RATE)
    config.add_examples(
        name="2027",
        status="current",
        opened_at="2027-01-10T08:00:00Z",
        closed_at=None,
        join="confirm",
        season=2,
        exams=4,
        candidates=1200,
        kind="exams",
        title="Rings and ideals",
        message="No backup was reported today.",
        all=1200,
        moved=80,
        joined=0,
        exam=4,
        expected_at="2027-01-09T08:07:00Z",
        until="2027-01-11T08:00:00Z",
        refusal=None,
        confirmed=12,
    )
    config.scan()
