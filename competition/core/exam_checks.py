"""Pre-flight checks: checks to run before an event that many people take part in, such as an exam.

Core and all plugins can declare checks:

    @preflight_check("notes", level="warning")
    def notes_are_ready(work: Work, subject: int) -> Finding:
        return Finding(is_fine=False, message="Nobody has written a note.")

A plugin runs them for a `subject`, the id of the event that is about to begin. If no such plugin is
enabled, the checks are never run.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pyramid.exceptions import ConfigurationError

from competition.core.catalogue import OwnName, declaration
from competition.core.work import Work

# How serious a failed check is. After an "error", the event must not begin.
Level = Literal["warning", "error"]


@dataclass(frozen=True)
class Finding:
    """The result of a check. `items` lists the objects that the message is about, each as a
    text."""

    is_fine: bool
    message: str = ""
    items: Sequence[str] = ()


Look = Callable[[Work, int], Finding]


@dataclass(frozen=True)
class PreflightCheck(OwnName):
    """A pre-flight check. `look` is called with a Work and the id of the event that is about to
    begin, such as an exam. It must not change anything. If one of its statements fails, the other
    checks still run."""

    name: str
    level: Level
    look: Look

    def __post_init__(self) -> None:
        if self.level not in get_args(Level):
            raise ConfigurationError(
                f"The pre-flight check {self.name} has the level {self.level!r}. It must be one of"
                f" {', '.join(get_args(Level))}."
            )


def preflight_check(name: str, *, level: Level) -> Callable[[Look], Look]:
    """Declare that the decorated function is a pre-flight check. A scan of its module finds it."""
    return declaration(PreflightCheck, name, lambda look: PreflightCheck(name, level, look))
