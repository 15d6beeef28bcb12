"""Drafts: a candidate's answers are saved while they work, and submitted automatically if the time
is over and the candidate has not submitted.

If a device fails or loses its connection, the candidate can continue with the draft on another
device.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.limits.counters import parse_rates
from competition.core.settings import setting

REQUIRES = ("sittings",)


@dataclass(frozen=True, kw_only=True)
class DraftSettings:
    """Rules for drafts.

    Without `hand_in`, the service submits nothing automatically. Drafts are retained, and staff can
    read them, until `kept_days` days after the exam was published.
    """

    prefix: ClassVar[str] = "competition.drafts"
    hand_in: bool = setting(True)
    kept_days: int = setting(0, minimum=0)


SETTINGS = DraftSettings

# How often a user may save or read a draft. Clients save it a moment after each answer.
RATE = parse_rates("120/minute")


def includeme(config: Configurator) -> None:
    config.add_ceiling("drafts", lambda settings: RATE)
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
