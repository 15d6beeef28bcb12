"""Invigilation: who sits an exam, who has gone silent, who has handed in; as staff watches it.

A candidate is seen whenever they request the paper, the clock or their draft. The plugin `sittings`
stores the last time in Redis (`sittings.services.signs`), where it costs no row and may be lost:
the candidate then looks silent until the next request.
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
