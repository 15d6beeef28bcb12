"""Declaring background work: a *task* is a function, a *job* one run of it."""

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from types import NoneType, UnionType
from typing import Any, ClassVar, get_args, get_type_hints, is_typeddict

from pyramid.config import Configurator
from pyramid.exceptions import ConfigurationError

from competition.core.catalogue import Assembled, OwnName, declare
from competition.core.jobs.lanes import MAIN, Lane
from competition.core.settings import setting


@dataclass(frozen=True, kw_only=True)
class JobSettings:
    """Times in seconds. A worker that renews no lease for `lease` is taken for dead; work that
    nobody rang for is found after `sweep`; a failed job waits `backoff`, then twice as long, up to
    `backoff_limit`. A job of a task that gathers waits `gather` for those that share its run.
    `workers` are the threads of the main lane in each process."""

    prefix: ClassVar[str] = "competition.jobs"
    workers: int = setting(2, minimum=1)
    lease: float = setting(15.0, minimum=0.1)
    sweep: float = setting(1.0, minimum=0.1)
    attempts: int = setting(8, minimum=1)
    backoff: float = setting(2.0, minimum=0)
    backoff_limit: float = setting(600.0, minimum=0)
    gather: float = setting(0.5, minimum=0)


SETTINGS = JobSettings

# Types of arguments that are looked at; of others, such as lists, the function knows.
SIMPLE = (str, int, bool, NoneType)


@dataclass(frozen=True)
class Task(OwnName):
    """A function that runs in the background, as it was declared.

    `batch`: called once with the arguments of all pending jobs of one key, as ``(work, jobs)``: a
    list of a TypedDict, which says what each has to have.
    `gathers`: nobody waits for one, and thousands come in a minute: each is left to the next sweep,
    and what came until then is one run.
    `steps`: called as ``(run, **args)`` and commits for itself, through the run. `given_up`: called
    as ``(work, **args)`` in the transaction that marks a job as failed for good; one that raises is
    undone, and the job has failed all the same. `lane`: whose threads run it
    (`competition.core.jobs.lanes`).
    """

    name: str
    function: Callable[..., None]
    batch: bool = False
    steps: bool = False
    given_up: Callable[..., None] | None = None
    lane: str = MAIN
    gathers: bool = False


@dataclass(frozen=True)
class PeriodicTask:
    name: str
    every: timedelta

    def tick(self, now: datetime) -> datetime:
        """The start of the period that `now` is in."""
        period = self.every.total_seconds()
        return datetime.fromtimestamp(now.timestamp() // period * period, UTC)


# Cached, because each job and mail is checked, and reading the annotations of a function takes
# longer than the check. There is one entry per task or template.
@cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    try:
        return inspect.signature(function, eval_str=True)
    except NameError:
        # Some types are there for checkers alone.
        return inspect.signature(function)


def check_taken(of: str, function: Callable[..., Any], given: int, args: Mapping[str, Any]) -> None:
    """Refuse arguments of a job, or of a mail, that its function does not take: names, and types
    where they are simple. `given` others come before them. Raises TypeError."""
    signature = _signature(function)
    try:
        signature.bind(*[None] * given, **args)
    except TypeError as error:
        raise TypeError(f"{of} can't be asked for with these arguments: {error}.") from None
    _check_types(of, {name: each.annotation for name, each in signature.parameters.items()}, args)


def check_taken_in_batch(of: str, function: Callable[..., Any], args: Mapping[str, Any]) -> None:
    """As `check_taken`, of a job whose arguments are one of the list that its function takes: where
    that is of a TypedDict, they have its keys. Raises TypeError."""
    *_, jobs = _signature(function).parameters.values()
    shape: Any = next(iter(get_args(jobs.annotation)), None)
    if not is_typeddict(shape):
        return
    hints = get_type_hints(shape)
    missing, unknown = shape.__required_keys__ - args.keys(), args.keys() - hints.keys()
    for names, what in ((missing, "missing"), (unknown, "unknown")):
        if names:
            listed = ", ".join(sorted(names))
            raise TypeError(f"{of} can't be asked for with these arguments: {what}: {listed}.")
    _check_types(of, hints, args)


def _check_types(of: str, hints: Mapping[str, Any], args: Mapping[str, Any]) -> None:
    for name, value in args.items():
        hint = hints.get(name, Any)
        kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        if all(each in SIMPLE for each in kinds) and not isinstance(value, kinds):
            wanted, found = getattr(hint, "__name__", hint), type(value).__name__
            raise TypeError(f"{of} can't have the argument {name}: it takes {wanted}, not {found}.")


def check_arguments(of: str, args: Mapping[str, Any]) -> None:
    """Refuse arguments of a job, or of a mail, that JSON can't hold: they are stored as JSON.
    Raises TypeError."""
    for name, value in args.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError) as error:
            # Without the value: nobody knows what it is.
            raise TypeError(
                f"{of} can't have the argument {name}: {error}. Pass what JSON has: an id, a UUID"
                " as str(id), a time as its isoformat()."
            ) from None


def task(
    name: str,
    *,
    batch: bool = False,
    steps: bool = False,
    given_up: Callable[..., None] | None = None,
    every: timedelta | None = None,
    lane: str = MAIN,
    gathers: bool = False,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Declare a task, found when its plugin is scanned; `every` makes it periodic as well, and
    ``lane="slow"`` keeps what takes seconds out of the way of scores and mails."""

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        made = Task(name, function, batch, steps, given_up, lane, gathers)
        declare(function, Task, name, lambda: made)
        if every is not None:
            declare(function, PeriodicTask, name, lambda: PeriodicTask(name, every))
        return function

    return decorate


def check_lanes(event: Assembled) -> None:
    """Raises ConfigurationError for one that nobody made: the task would hold up the main one."""
    catalogue = event.registry.runtime.catalogue
    for each in catalogue[Task].values():
        if each.lane not in (MAIN, *catalogue[Lane]):
            raise ConfigurationError(
                f"The task {each.name} has the lane {each.lane!r}, which nobody makes"
                f" (config.add_lane). There are {', '.join((MAIN, *catalogue[Lane]))}."
            )


def includeme(config: Configurator) -> None:
    config.add_subscriber(check_lanes, Assembled)
