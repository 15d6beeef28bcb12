"""Invigilation: staff watch which candidates are taking an exam, are silent, or have submitted.

A candidate is seen when they send a request about the exam, such as for the paper, the clock or
their draft. The plugin `sittings` stores the time of the last such request in Redis
(`sittings.services.signs`), which needs no row in the database. If the time is lost, the candidate
appears silent until their next request.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.limits.counters import parse_rates
from competition.core.settings import setting

REQUIRES = ("sittings",)


@dataclass(frozen=True, kw_only=True)
class InvigilationSettings:
    """Rules for watching exams. A candidate who is taking an exam and was not seen for
    `silent_after` seconds counts as silent."""

    prefix: ClassVar[str] = "competition.invigilation"
    silent_after: int = setting(120, minimum=1, on_pages=True)


SETTINGS = InvigilationSettings

# How often a user may request the state of an exam. Clients poll it, and it reads many rows.
RATE = parse_rates("60/minute")


def includeme(config: Configurator) -> None:
    config.add_ceiling("invigilation", lambda settings: RATE)
    config.add_examples(
        eligible=400,
        not_started=12,
        sitting=371,
        silent=4,
        submitted=11,
        handed_in=2,
        state="sitting",
        last_seen_at="2026-03-14T10:20:00Z",
    )
    config.scan()
