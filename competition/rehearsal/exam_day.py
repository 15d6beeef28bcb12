"""The exam day of a rehearsal: let all simulated users act at the same time, and compare what the
service has stored with what they did."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import click
import httpx
from sqlalchemy.exc import OperationalError

from competition.core.runtime import API_PREFIX, Runtime, ServerSettings
from competition.plugins.sittings import SittingSettings
from competition.rehearsal import world
from competition.rehearsal.moderator import Moderator
from competition.rehearsal.pupils import Pupil, Tally
from competition.rehearsal.world import Messages, Result, World

# How often the progress is reported, and the timeout of a request, in seconds.
REPORT_EVERY = 5
TIMEOUT = 20
# How many connections all simulated users have together.
CONNECTIONS = 200
# How long after the grace period the last submissions and scores may arrive, in seconds. The
# service may have been down.
PATIENCE = 180


def play(
    runtime: Runtime,
    candidates: int,
    questions: int,
    length: timedelta,
    save_every: float,
    base_url: str | None,
    among_others: bool,
) -> bool:
    """Play an exam day, print what happens, and return whether everything went right.

    `save_every` is the average time between two saves of a candidate, in seconds. If `base_url` is
    None, requests go to the host and port in the settings.

    Raises ClickException if the final stage has real candidates and `among_others` is false.
    """
    settings = runtime.settings[ServerSettings]
    address = base_url or f"http://{settings.host}:{settings.port}{API_PREFIX}"
    grace = 60 * runtime.settings[SittingSettings].grace_minutes
    minutes = length / timedelta(minutes=1)
    click.echo(f"{candidates} candidates, {minutes:g} minutes, {grace} s grace period, {address}")
    try:
        with world.world(runtime, candidates, questions, length, among_others) as made:
            tally = Tally()
            asyncio.run(_exam(made, address, save_every, length.total_seconds(), tally))
            found = _wait(runtime, made, time.monotonic() + grace + PATIENCE)
            flaws = [*_flaws(made.pupils, found)]
            if made.moderator is not None:
                messages = world.messages(runtime, made.exam_id)
                flaws += _flaws_of_messages(made.pupils, made.moderator, messages)
            _summarise(made.pupils, found, tally)
    except world.Others:
        raise click.ClickException(
            "There are real candidates in the final stage, who would see the exam of the"
            " rehearsal. To run it anyway, add --among-others."
        ) from None
    for each in flaws:
        click.echo(f"WRONG  {each}")
    click.echo("No answer was lost." if not flaws else f"Problems found: {len(flaws)}")
    return not flaws


class _Client(httpx.AsyncClient):
    """The HTTP client of all simulated users.

    Requests wait here for a free connection, and not in httpx: whenever a request begins or ends,
    httpx compares each waiting request with each connection. With hundreds of waiting candidates,
    that took longer than `TIMEOUT`, so that no reply was read in time.
    """

    def __init__(self, address: str) -> None:
        limits = httpx.Limits(max_connections=CONNECTIONS)
        super().__init__(base_url=address, timeout=TIMEOUT, limits=limits, trust_env=False)
        self._free = asyncio.Semaphore(CONNECTIONS)

    async def request(self, *args: Any, **kwargs: Any) -> httpx.Response:
        async with self._free:
            return await super().request(*args, **kwargs)


async def _exam(made: World, address: str, save_every: float, length: float, tally: Tally) -> None:
    async with _Client(address) as http, asyncio.TaskGroup() as sitting:
        tasks = [
            sitting.create_task(each.sit(http, made.exam_id, save_every, tally))
            for each in made.pupils
        ]
        watching, is_over = asyncio.create_task(_watch(tally)), asyncio.Event()
        if made.moderator is not None:
            answering = made.moderator.watch(http, made.exam_id, length, tally, is_over)
            sitting.create_task(answering)
        await asyncio.wait(tasks)
        is_over.set()
        watching.cancel()


async def _watch(tally: Tally) -> None:
    """Print a line with the current numbers every few seconds."""
    saved = 0
    while True:
        await asyncio.sleep(REPORT_EVERY)
        counts = tally.counts
        rate = (counts["saved"] - saved) / REPORT_EVERY
        saved = counts["saved"]
        click.echo(
            f"{time.strftime('%H:%M:%S')}  sitting {counts['sitting']:<6}"
            f" saves/s {rate:<7.1f} submitted {counts['submitted']:<6}"
            f" waiting {counts['waiting']:<5} retried {counts['again']:<6}"
            f" slowest {tally.slowest:.2f} s"
        )
        tally.slowest = 0.0


def _wait(runtime: Runtime, made: World, until: float) -> dict[UUID, Result]:
    """Wait until all submissions are stored and scored, and return them by candidate.

    `until` is a time of `time.monotonic()`, at which this returns what it has found. If the
    database is still unavailable then, this raises OperationalError.
    """
    while True:
        found: dict[UUID, Result] = {}
        try:
            found = world.results(runtime, made.exam_id)
        except OperationalError:
            if time.monotonic() > until:
                raise
        scored = [each for each in found.values() if each.score is not None]
        if len(scored) >= sum(bool(each.may_have[0]) for each in made.pupils):
            return found
        if time.monotonic() > until:
            return found
        time.sleep(1)


def _flaws(pupils: list[Pupil], found: dict[UUID, Result]) -> Iterator[str]:
    for pupil in pupils:
        result = found.get(pupil.id)
        name = f"{pupil.habit} {pupil.id}"
        if pupil.failure:
            yield f"{name}: {pupil.failure}"
        if result is None:
            if pupil.may_have[0]:
                yield f"{name}: acknowledged answers were not submitted"
            continue
        if result.answers not in pupil.may_have:
            yield f"{name}: acknowledged {pupil.may_have[0]}, submitted {result.answers}"
        if (result.handed_in_by == "candidate") != (pupil.submitted is not None):
            yield f"{name}: submitted by the {result.handed_in_by}"
        if result.score != result.right:
            yield f"{name}: the score is {result.score}, and should be {result.right}"


def _flaws_of_messages(
    pupils: list[Pupil], moderator: Moderator, messages: Messages
) -> Iterator[str]:
    if moderator.failure:
        yield f"moderator: {moderator.failure}"
    if messages.announced != moderator.announced:
        yield f"acknowledged announcements {moderator.announced}, stored {messages.announced}"
    for pupil in pupils:
        if pupil.asks and not pupil.asked and not pupil.failure:
            yield f"{pupil.habit} {pupil.id}: did not ask"
        for id, text in pupil.asked.items():
            expected = (text, moderator.answered.get(id))
            if None in expected or messages.asked.get(id) != expected:
                yield f"question {id}: acknowledged {expected}, stored {messages.asked.get(id)}"


def _summarise(pupils: list[Pupil], found: dict[UUID, Result], tally: Tally) -> None:
    by = Counter(each.handed_in_by for each in found.values())
    answers = sum(len(each.may_have[0]) for each in pupils)
    counts = tally.counts
    click.echo(
        f"\nsaves acknowledged    {counts['saved']}\n"
        f"answers acknowledged  {answers}\n"
        f"questions             {counts['asked']} asked, {counts['answered']} answered\n"
        f"announcements         {counts['announced']}\n"
        f"requests retried      {counts['again']}\n"
        f"submissions           {by['candidate']} by candidates, {by['service']} by the service\n"
        f"scores                {sum(each.score is not None for each in found.values())}\n"
    )
