"""Pre-flight checks: what has to be right before many people do something in the same minute.

Which moment that is a plugin knows: it runs the checks for a `subject`, the id of what is to begin,
such as an exam. Core and any plugin declare checks, also while nobody runs them:

    @preflight_check("notes", level="warning")
    def notes_are_ready(work: Work, subject: int) -> Finding:
        return Finding(is_fine=False, message="Nobody has written a note.")
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pyramid.exceptions import ConfigurationError

from competition.core.catalogue import OwnName, declare
from competition.core.work import Work

# What it means when a check is not fine: an error says that it must not begin like this.
Level = Literal["warning", "error"]


@dataclass(frozen=True)
class Finding:
    """What a check has found: `items` are what it is about, one by one."""

    is_fine: bool
    message: str = ""
    items: Sequence[str] = ()


Look = Callable[[Work, int], Finding]


@dataclass(frozen=True)
class PreflightCheck(OwnName):
    """`look` is called in a savepoint of its own; it changes nothing."""

    name: str
    level: Level
    look: Look

    def __post_init__(self) -> None:
        if self.level not in get_args(Level):
            raise ConfigurationError(
                f"The pre-flight check {self.name} has the level {self.level!r}. There are"
                f" {', '.join(get_args(Level))}."
            )


def preflight_check(name: str, *, level: Level) -> Callable[[Look], Look]:
    """Declare a check, found when its module is scanned."""

    def decorate(look: Look) -> Look:
        declare(look, PreflightCheck, name, lambda: PreflightCheck(name, level, look))
        return look

    return decorate
