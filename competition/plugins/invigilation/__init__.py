"""Invigilation: who sits an exam, who has gone silent, who has handed in; as staff watches it.

A candidate is seen whenever they ask for the paper, the clock or their draft (`CandidateSeen`).
When that was last is kept in Redis, where it costs no row and may be lost: a candidate then looks
silent until the next call.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.limits.counters import Rates, parse_rates
from competition.core.settings import setting

REQUIRES = ("sittings",)


@dataclass(frozen=True, kw_only=True)
class InvigilationSettings:
    """`rate` is how often a user may look. Who sits an exam and was not seen for `silent_after`
    seconds is silent."""

    prefix: ClassVar[str] = "competition.invigilation"
    rate: Rates = setting(parse_rates("60/minute"), parse=parse_rates)
    silent_after: int = setting(120, minimum=1)


SETTINGS = InvigilationSettings


def includeme(config: Configurator) -> None:
    config.add_ceiling("invigilation", lambda settings: settings[InvigilationSettings].rate)
    config.add_following(
        "follow_exam",
        admit=".sockets.admit",
        look=".sockets.activity",
        data=".schemas.FollowedExam",
    )
    config.add_gauge(
        "invigilation_sitting",
        "Candidates who sit an exam and were seen lately.",
        ".services.gauges.sitting",
    )
    config.add_gauge(
        "invigilation_silent",
        "Candidates who sit an exam and were not seen lately, or whose time is over and of whom"
        " nothing is handed in.",
        ".services.gauges.silent",
    )
    config.add_gauge(
        "invigilation_submitted",
        "Candidates who handed in, of exams that are on.",
        ".services.gauges.submitted",
    )
    config.add_gauge(
        "invigilation_handed_in",
        "Candidates for whom the service handed in, of exams that are on.",
        ".services.gauges.handed_in",
    )
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
