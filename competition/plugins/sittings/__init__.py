"""Sittings: a candidate opens the paper of an exam, reads the clock, and submits the answers.

The plugin also seals exams, after which nobody can start or submit them. The plugin `scores`
evaluates the answers: it subscribes to the events of this plugin.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.limits.counters import Rates, parse_rates
from competition.core.settings import setting

REQUIRES = ("exams",)


@dataclass(frozen=True, kw_only=True)
class SittingSettings:
    """Rate limits and rules for taking exams.

    `submission_rate` is how often a user may submit answers, `clock_rate` how often they may read
    the clock. Answers are still accepted for `grace_minutes` after the deadline (decisions G18).
    With `requires_start`, candidates have to open the paper before they can submit.
    """

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
