"""`competition rehearse`."""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import click
import httpx
from sqlalchemy.exc import OperationalError

from competition.cli.ini import Ini, ini_argument
from competition.core.runtime import API_PREFIX, Runtime, ServerSettings
from competition.plugins.sittings import SittingSettings
from competition.rehearsal import world
from competition.rehearsal.pupils import Pupil, Tally
from competition.rehearsal.world import Result, World

# Seconds.
LOOK_EVERY = 5
TIMEOUT = 20
# How long after the grace everything may take, such as what waits for a service that was down.
PATIENCE = 180


@click.command()
@click.option("--candidates", type=click.IntRange(1), default=50, show_default=True)
@click.option("--questions", type=click.IntRange(1, 500), default=20, show_default=True)
@click.option("--minutes", type=click.FloatRange(0.1, 60), default=2, show_default=True)
@click.option(
    "--save-every", type=click.FloatRange(0.5), default=15, show_default=True, help="Seconds."
)
@click.option("--base-url", help="Where the api is, with /v1; else where INI says.")
@click.option("--among-others", is_flag=True, help="Although real candidates are in the final.")
@ini_argument
def rehearse(
    candidates: int,
    questions: int,
    minutes: float,
    save_every: float,
    base_url: str | None,
    among_others: bool,
    ini: Ini,
) -> None:
    """Play an exam day against the service that runs, and account for every answer.

    Candidates save drafts, lose their connection, change devices, hand in, hand in late, or are
    handed in by the service: a fifth each. They, and the exam, are made in the database of INI, and
    are gone afterwards. The exit status says whether anything went wrong.
    """
    with ini.runtime() as runtime:
        settings = runtime.settings[ServerSettings]
        address = base_url or f"http://{settings.host}:{settings.port}{API_PREFIX}"
        grace = 60 * runtime.settings[SittingSettings].grace_minutes
        length = timedelta(minutes=minutes)
        click.echo(
            f"{candidates} candidates for {minutes:g} minutes and {grace} s of grace at {address}"
        )
        try:
            with world.world(runtime, candidates, questions, length, among_others) as made:
                tally = Tally()
                asyncio.run(_exam(made, address, save_every, tally))
                found = _wait(runtime, made, time.monotonic() + grace + PATIENCE)
                flaws = [*_flaws(made.pupils, found)]
                _account(made.pupils, found, tally)
        except world.Others:
            raise click.ClickException(
                "There are real candidates in the final, who would see the exam of the rehearsal."
                " --among-others plays it all the same."
            ) from None
    for each in flaws:
        click.echo(f"WRONG  {each}")
    click.echo("No answer was lost." if not flaws else f"{len(flaws)} things went wrong.")
    sys.exit(bool(flaws))


async def _exam(made: World, address: str, save_every: float, tally: Tally) -> None:
    limits = httpx.Limits(max_connections=200)
    async with (
        httpx.AsyncClient(
            base_url=address, timeout=TIMEOUT, limits=limits, trust_env=False
        ) as http,
        asyncio.TaskGroup() as sitting,
    ):
        tasks = [
            sitting.create_task(each.sit(http, made.exam_id, save_every, tally))
            for each in made.pupils
        ]
        watching = asyncio.create_task(_watch(tally))
        await asyncio.wait(tasks)
        watching.cancel()


async def _watch(tally: Tally) -> None:
    """What a dashboard would show, a line each time."""
    saved = 0
    while True:
        await asyncio.sleep(LOOK_EVERY)
        counts = tally.counts
        rate = (counts["saved"] - saved) / LOOK_EVERY
        saved = counts["saved"]
        click.echo(
            f"{time.strftime('%H:%M:%S')}  sitting {counts['sitting']:<6}"
            f" saves/s {rate:<7.1f} handed in {counts['submitted']:<6}"
            f" waiting {counts['waiting']:<5} tried again {counts['again']:<6}"
            f" slowest {tally.slowest:.2f} s"
        )
        tally.slowest = 0.0


def _wait(runtime: Runtime, made: World, until: float) -> dict[UUID, Result]:
    """For everybody's submission and score, or not longer than that."""
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
                yield f"{name}: acknowledged answers were not handed in"
            continue
        if result.answers not in pupil.may_have:
            yield f"{name}: acknowledged {pupil.may_have[0]}, handed in {result.answers}"
        if (result.handed_in_by == "candidate") != (pupil.submitted is not None):
            yield f"{name}: handed in by the {result.handed_in_by}"
        if result.score != result.right:
            yield f"{name}: the score is {result.score}, and should be {result.right}"


def _account(pupils: list[Pupil], found: dict[UUID, Result], tally: Tally) -> None:
    by = Counter(each.handed_in_by for each in found.values())
    answers = sum(len(each.may_have[0]) for each in pupils)
    click.echo(
        f"\nsaves acknowledged    {tally.counts['saved']}\n"
        f"answers acknowledged  {answers}\n"
        f"without an answer     {tally.counts['again']} requests, which were sent again\n"
        f"handed in             {by['candidate']} by candidates, {by['service']} by the service\n"
        f"scored                {sum(each.score is not None for each in found.values())}\n"
    )
