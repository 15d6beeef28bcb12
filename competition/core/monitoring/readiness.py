"""Readiness checks: what the service needs before requests should be sent to it.

`/v1/ready/` runs them (`competition.core.web.health`). Parts of core and plugins declare them:

    @readiness_check("notes", required=False)
    def are_there_notes(work: Work) -> str | None:
        return None if count(work) else "Nobody has written a note."
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from competition.core.catalogue import OwnName, declare

# What a check gets is a Work. The parts of core that a Work is made of have checks, too.
Look = Callable[[Any], str | None]


@dataclass(frozen=True)
class ReadinessCheck(OwnName):
    """`look` returns what is wrong, in words that everybody may read, or None. If a check that is
    not `required` fails, the service is degraded, and still takes requests.

    A check only reads. It has no transaction, so a statement that fails spoils nothing for the
    other checks.
    """

    name: str
    look: Look
    required: bool


def readiness_check(name: str, *, required: bool = True) -> Callable[[Look], Look]:
    """Declare a readiness check, found when its module is scanned."""

    def decorate(look: Look) -> Look:
        declare(look, ReadinessCheck, name, lambda: ReadinessCheck(name, look, required))
        return look

    return decorate
