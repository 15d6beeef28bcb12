"""Sittings: a candidate opens the paper of an exam, reads the clock, and submits the answers.

The plugin also seals exams, after which nobody can start or submit them. The plugin `scores`
evaluates the answers: it subscribes to the events of this plugin.
"""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.auth.access import StaffRole, staff
from competition.core.errors import PermissionDenied
from competition.core.limits.counters import parse_rates
from competition.core.settings import setting

REQUIRES = ("exams",)


@dataclass(frozen=True, kw_only=True)
class SittingSettings:
    """Rules for taking exams.

    Answers are still accepted for `grace_minutes` after the deadline (decisions G18). With
    `requires_start`, candidates have to open the paper before they can submit.
    """

    prefix: ClassVar[str] = "competition.sittings"
    grace_minutes: int = setting(5, minimum=0)
    requires_start: bool = setting(False)


SETTINGS = SittingSettings

# How often a user may submit answers: a client on a bad connection repeats the request.
SUBMISSIONS = parse_rates("60/minute")
# How often a user may open a paper: each reload of the page opens it again.
PAPERS = parse_rates("60/minute")
# How often a user may request the clock of an exam. Clients poll it, maybe in more than one tab.
CLOCK = parse_rates("120/minute")


def includeme(config: Configurator) -> None:
    config.add_ceiling("submission", lambda settings: SUBMISSIONS)
    config.add_ceiling("paper", lambda settings: PAPERS)
    config.add_ceiling("clock", lambda settings: CLOCK)
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
    config.add_export(
        "answers",
        "/exports/exams/{exam_id:int}/answers/",
        ".exports.answers",
        access=staff(StaffRole.ADMIN),
        guard=".exports.finished",
        errors=(PermissionDenied,),
        by_school=True,
    )
    config.scan()
