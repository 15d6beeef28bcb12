"""Readiness checks: whether the service can process requests.

`/v1/ready/` runs the checks (`competition.core.web.health`). Modules of core and of plugins declare
them:

    @readiness_check("notes", required=False)
    def are_there_notes(work: Work) -> str | None:
        return None if count(work) else Message("Nobody has written a note.")
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from competition.core.catalogue import OwnName, declaration

# The argument is a Work. Its class can't be imported here, because it depends on modules with
# checks.
Look = Callable[[Any], str | None]


@dataclass(frozen=True)
class ReadinessCheck(OwnName):
    """A readiness check. `look` returns None, or a text about the problem, which is shown publicly.
    A `Message` is shown in the language of the reader.

    If a check that is not `required` fails, the service is degraded, but still processes requests.

    A check may only read. It has no transaction, so a failed statement does not affect the other
    checks.
    """

    name: str
    look: Look
    required: bool


def readiness_check(name: str, *, required: bool = True) -> Callable[[Look], Look]:
    """Declare that the decorated function is a readiness check. A scan of its module finds it."""
    return declaration(ReadinessCheck, name, lambda look: ReadinessCheck(name, look, required))
