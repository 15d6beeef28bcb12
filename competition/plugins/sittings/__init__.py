"""Sittings: opening the paper, the clock, handing in the answers.

Everything between "start" and "handed in", and the moment after which nobody can hand in any more.
What the answers are worth is the plugin `scores`: it hears the events of this one.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.limits.counters import Rates, parse_rates
from competition.core.settings import setting

REQUIRES = ("exams",)


@dataclass(frozen=True, kw_only=True)
class SittingSettings:
    """`submission_rate` and `clock_rate` are how often a user may hand in answers and look at the
    clock. A submission is still taken for `grace_minutes` after its deadline (decisions G18). With
    `requires_start`, only candidates who have opened the paper can submit."""

    prefix: ClassVar[str] = "competition.sittings"
    submission_rate: Rates = setting(parse_rates("60/minute"), parse=parse_rates)
    clock_rate: Rates = setting(parse_rates("120/minute"), parse=parse_rates)
    grace_minutes: int = setting(5, minimum=0)
    requires_start: bool = setting(False)


SETTINGS = SittingSettings


def includeme(config: Configurator) -> None:
    config.add_ceiling("submission", lambda settings: settings[SittingSettings].submission_rate)
    config.add_ceiling("clock", lambda settings: settings[SittingSettings].clock_rate)
    config.add_examples(
        selected_option="B",
        seconds_remaining=3600,
        status="ongoing",
        server_time="2026-03-14T10:15:00Z",
        opens_at="2026-03-14T09:00:00Z",
        closes_at="2026-03-14T21:00:00Z",
        started_at="2026-03-14T10:15:00Z",
        deadline="2026-03-14T11:15:00Z",
        hand_in_until="2026-03-14T11:20:00Z",
        extra_minutes=0,
        submitted=False,
    )
    config.scan()
