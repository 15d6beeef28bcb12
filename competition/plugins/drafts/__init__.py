"""Drafts: what a candidate has answered so far is kept while they work, and handed in by the
service when the time is over and nobody did.

A pupil's device may die, or lose its connection, at any moment: another one goes on with the draft.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.limits.counters import Rates, parse_rates
from competition.core.settings import setting

REQUIRES = ("sittings",)


@dataclass(frozen=True, kw_only=True)
class DraftSettings:
    """`rate` is how often a user may save and read a draft. Without `hand_in` the service hands in
    nothing. Drafts are kept, and can be read by staff, until `kept_days` after the publication."""

    prefix: ClassVar[str] = "competition.drafts"
    rate: Rates = setting(parse_rates("120/minute"), parse=parse_rates)
    hand_in: bool = setting(True)
    kept_days: int = setting(0, minimum=0)


SETTINGS = DraftSettings


def includeme(config: Configurator) -> None:
    config.add_ceiling("drafts", lambda settings: settings[DraftSettings].rate)
    config.add_examples(
        sequence=12,
        question=11,
        selected_option="B",
        answered=1,
        applied=True,
        saved_at="2026-03-14T10:20:00Z",
        server_time="2026-03-14T10:20:00Z",
        deadline="2026-03-14T11:15:00Z",
        seconds_remaining=3300,
    )
    config.scan()
