"""Declare background tasks. A *task* is a function, and a *job* is one run of it."""

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from types import NoneType, UnionType
from typing import Any, ClassVar, get_args, get_type_hints, is_typeddict

from pyramid.events import subscriber
from pyramid.exceptions import ConfigurationError

from competition.core.catalogue import Assembled, OwnName, declaration
from competition.core.jobs.lanes import MAIN, Lane
from competition.core.settings import setting


@dataclass(frozen=True, kw_only=True)
class JobSettings:
    """Settings of workers. Times are in seconds.

    `workers` is the number of threads of the main lane in each worker process. A job whose `lease`
    is not renewed in time is run by another worker. Workers poll the database every `sweep`
    seconds.

    A job that has failed in `attempts` runs has failed permanently. If a task is declared with
    `gathers`, each of its jobs waits `gather` seconds for other jobs to share its run.
    """

    prefix: ClassVar[str] = "competition.jobs"
    workers: int = setting(2, minimum=1)
    lease: float = setting(15.0, minimum=0.1)
    sweep: float = setting(1.0, minimum=0.1)
    attempts: int = setting(8, minimum=1, on_pages=True)
    gather: float = setting(0.5, minimum=0)


SETTINGS = JobSettings

# The types of arguments that are checked. The task's function has to check arguments of other
# types, such as lists.
SIMPLE = (str, int, bool, NoneType)


@dataclass(frozen=True)
class Task(OwnName):
    """A declared task: a function that runs in the background.

    By default a job calls the function as ``(work, **args)`` in one transaction.

    - `batch`: pending jobs with the same key share a run. The run calls the function as
      ``(work, jobs)``: `jobs` is a list with the arguments of each job. If `jobs` is annotated as a
      list of a TypedDict, the arguments are checked against the TypedDict.
    - `gathers`: each job waits a moment for other jobs to share its run. This is for tasks with
      thousands of jobs per minute, for which no user waits.
    - `steps`: a job calls the function as ``(run, **args)``, and the function opens its own
      transactions through the Run.
    - `given_up`: called as ``(work, **args)`` in the transaction that marks a job as permanently
      failed. If it raises an exception, its changes are rolled back, and the job is still marked as
      failed.
    - `lane`: the name of the lane whose threads run the jobs (`competition.core.jobs.lanes`).
    - `every`: the period of a periodic task. Such a task has one job per period, without arguments.
    """

    name: str
    function: Callable[..., None]
    batch: bool = False
    steps: bool = False
    given_up: Callable[..., None] | None = None
    lane: str = MAIN
    gathers: bool = False
    every: timedelta | None = None


# Cached, because the arguments of each job and email are checked, and reading the annotations of a
# function takes longer than the check. There is one entry per task or template.
@cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    try:
        return inspect.signature(function, eval_str=True)
    except NameError:
        # Some types are imported for type checkers only, so their annotations can't be evaluated.
        return inspect.signature(function)


def check_taken(of: str, function: Callable[..., Any], given: int, args: Mapping[str, Any]) -> None:
    """Check that the function of a job or an email takes these arguments.

    `given` is the number of arguments that come before them. Raises TypeError if an argument is
    missing, unknown or not JSON, or if its annotation is a simple type and the value has another
    type. `of` is the name of the task or email, for the message.
    """
    _check_json(of, args)
    signature = _signature(function)
    try:
        signature.bind(*[None] * given, **args)
    except TypeError as error:
        raise TypeError(f"{of} does not take these arguments: {error}.") from None
    _check_types(of, {name: each.annotation for name, each in signature.parameters.items()}, args)


def check_taken_in_batch(of: str, function: Callable[..., Any], args: Mapping[str, Any]) -> None:
    """Check the arguments of a job of a batch task, whose function takes a list of them.

    If the annotation is a list of a TypedDict, the arguments must have its keys and simple types.
    Raises TypeError if they don't, or if an argument is not JSON.
    """
    _check_json(of, args)
    *_, jobs = _signature(function).parameters.values()
    shape: Any = next(iter(get_args(jobs.annotation)), None)
    if not is_typeddict(shape):
        return
    hints = get_type_hints(shape)
    missing, unknown = shape.__required_keys__ - args.keys(), args.keys() - hints.keys()
    for names, what in ((missing, "missing"), (unknown, "unknown")):
        if names:
            listed = ", ".join(sorted(names))
            raise TypeError(f"{of} does not take these arguments: {what}: {listed}.")
    _check_types(of, hints, args)


def _check_types(of: str, hints: Mapping[str, Any], args: Mapping[str, Any]) -> None:
    for name, value in args.items():
        hint = hints.get(name, Any)
        kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        if all(each in SIMPLE for each in kinds) and not isinstance(value, kinds):
            wanted, found = getattr(hint, "__name__", hint), type(value).__name__
            raise TypeError(f"{of} can't have the argument {name}: it takes {wanted}, not {found}.")


def _check_json(of: str, args: Mapping[str, Any]) -> None:
    for name, value in args.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError) as error:
            # The message does not quote the value, which may be a secret.
            raise TypeError(
                f"{of} can't have the argument {name}: {error}. Pass a value that JSON supports:"
                " an id, a UUID as str(id), a time as its isoformat()."
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
    """Declare that the decorated function is a task. A scan of its module finds it.

    Use ``lane="slow"`` for a task that takes seconds, so that scores and emails don't wait for it.
    `Task` describes the other options.
    """
    return declaration(
        Task,
        name,
        lambda function: Task(name, function, batch, steps, given_up, lane, gathers, every),
    )


@subscriber(Assembled)
def check_lanes(event: Assembled) -> None:
    """Check the lane of each task. Raises ConfigurationError if no plugin adds the lane, because
    the jobs would then run in the main lane and delay other jobs."""
    catalogue = event.registry.runtime.catalogue
    for each in catalogue[Task].values():
        if each.lane not in (MAIN, *catalogue[Lane]):
            raise ConfigurationError(
                f"The task {each.name} has the lane {each.lane!r}, which no plugin adds"
                f" (config.add_lane). The lanes are {', '.join((MAIN, *catalogue[Lane]))}."
            )
