"""The command of `make bench`."""

import os
import sys
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

import click
from webob import Request

from competition.cli import database
from competition.cli.ini import VARIABLE, Ini, ini_argument_or
from competition.core.runtime import ServerSettings
from competition.testing.statements import executed
from tools.bench import report
from tools.bench.files import many_files
from tools.bench.load import Load
from tools.bench.measure import Measured, Measurement
from tools.bench.paths import PATHS
from tools.bench.paths import Path as Driven
from tools.bench.processes import service, temporary_servers
from tools.bench.world import ASKED, Maker, Sizes, World

PARTS = (
    *("requests", "first-minute", "overload", "exam-day", "flood", "lists", "sockets"),
    "announcements",
    *("analysis", "regrades", "advancement", "exports", "imports", "memory", "opening"),
)
# The number of requests of each path for which SQL statements are counted.
CALLERS = 8
# The number of requests in a round. With fewer, the ratio of two costs is less precise.
REQUESTS = 300
FEWEST = 10
# With development.ini, scoring would cost more, because scoring jobs do not wait for others to
# share a run.
MEASURED = Path("production.ini")


@click.command()
@click.option(
    "--part",
    "parts",
    type=click.Choice(PARTS),
    multiple=True,
    help="What to measure; may be given several times. Default: everything.",
)
@click.option(
    "--path",
    "names",
    type=click.Choice([each.name for each in PATHS]),
    multiple=True,
    help="Measure only this request; may be given several times.",
)
@click.option(
    "--candidates",
    type=click.IntRange(min=1000),
    multiple=True,
    default=[10_000],
    show_default=True,
    help="Number of candidates; each of several values is a run.",
)
@click.option("--questions", type=click.IntRange(min=2 * ASKED), default=1000, show_default=True)
@click.option("--exams", type=click.IntRange(min=2), default=10, show_default=True)
@click.option("--turns", type=click.IntRange(min=1), default=10, show_default=True)
@click.option(
    "--requests",
    type=click.IntRange(min=FEWEST),
    help=f"Requests per round.  [default: {REQUESTS}, fewer if there are not enough candidates]",
)
@click.option("--connections", type=click.IntRange(min=1), default=4, show_default=True)
@click.option(
    "--threads", type=click.IntRange(min=1), default=ServerSettings.threads, show_default=True
)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write a JSON file.")
@click.option("--picture", type=click.Path(path_type=Path), help="Write a chart as SVG file.")
@ini_argument_or(MEASURED)
def bench(
    parts: tuple[str, ...],
    names: tuple[str, ...],
    candidates: tuple[int, ...],
    questions: int,
    exams: int,
    turns: int,
    requests: int | None,
    connections: int,
    threads: int,
    json_file: Path | None,
    picture: Path | None,
    ini: Ini,
) -> None:
    """Measure the cost of requests, lists, live pushes and results on this machine (Linux only).

    The service has the settings of INI, by default production.ini. The command starts temporary
    servers, and deletes them at the end. The exit status is 1 if a result misses its target.
    """
    many_files()
    os.environ[VARIABLE] = str(ini.path.resolve())
    parts = parts or (("requests",) if names else PARTS)
    is_met = True
    if "requests" in parts:
        callers = min(candidates) - 2 * CALLERS
        requests = requests or max(FEWEST, min(REQUESTS, callers // turns))
        if turns * requests > callers:
            raise click.UsageError(
                f"{turns} rounds of {requests} requests need more candidates than there are."
            )
        chosen = [each for each in PATHS if not names or each.name in names]
        runs = {}
        for number in candidates:
            click.echo(f"\n{number:,} candidates\n{report.heading()}")
            sizes = Sizes(number, questions, exams)
            runs[number] = _requests(ini, sizes, chosen, turns, requests, connections, threads)
        is_met = all(each.in_a <= each.at_most for run in runs.values() for each in run)
        if json_file:
            report.write_json(json_file, runs)
        if picture:
            picture.write_text(report.picture(runs))
    if "first-minute" in parts:
        from tools.bench import first_minute

        for number in candidates:
            click.echo(
                f"\n{number:,} candidates, {first_minute.API_PROCESSES} api processes of"
                f" {threads} threads"
            )
            is_met = first_minute.main(ini, Sizes(number, questions, exams), threads) and is_met
    if "overload" in parts:
        from tools.bench import overload

        for number in candidates:
            click.echo(f"\n{number:,} candidates, two api processes of {threads} threads, nginx")
            is_met = overload.main(ini, Sizes(number, questions, exams), threads) and is_met
    if "exam-day" in parts:
        from tools.bench import exam_day

        for number in candidates:
            click.echo(f"\n{number:,} candidates, two api processes")
            exam_day.main(ini, Sizes(number, questions, exams))
    if "flood" in parts:
        from tools.bench import flood

        for number in candidates:
            click.echo(f"\n{number:,} candidates, one api process of {threads} threads")
            is_met = flood.main(ini, Sizes(number, questions, exams), threads) and is_met
    if "lists" in parts:
        from tools.bench import lists, schools

        with temporary_servers():
            lists.main(ini)
        with temporary_servers(COMPETITION_RATELIMIT_ENABLED="false"):
            is_met = schools.main(ini) and is_met
    if "advancement" in parts:
        from tools.bench import advancement

        with temporary_servers():
            advancement.main(ini)
    if "analysis" in parts:
        from tools.bench import analysis

        with temporary_servers():
            analysis.main(ini)
    if "exports" in parts:
        from tools.bench import exports

        with temporary_servers():
            is_met = exports.main(ini) and is_met
    if "imports" in parts:
        from tools.bench import imports

        is_met = imports.main(ini) and is_met
    if "opening" in parts:
        from tools.bench import opening

        is_met = opening.main(ini, threads) and is_met
    if "sockets" in parts:
        from tools.bench import sockets

        with temporary_servers():
            is_met = sockets.main(ini) and is_met
    if "announcements" in parts:
        from tools.bench import announcements

        for number in candidates:
            is_met = announcements.main(ini, Sizes(number, questions, exams)) and is_met
    if "regrades" in parts:
        from tools.bench import regrades

        with temporary_servers():
            regrades.main(ini)
    if "memory" in parts:
        from tools.bench import memory

        click.echo("\nmemory of a small service")
        is_met = memory.main(ini) and is_met
    sys.exit(not is_met)


def _requests(
    ini: Ini,
    sizes: Sizes,
    paths: list[Driven],
    turns: int,
    requests: int,
    connections: int,
    threads: int,
) -> list[Measured]:
    with temporary_servers() as servers, Load() as load:
        database.upgrade(ini)
        with service(ini.path, servers, threads) as running:
            with ini.runtime() as runtime:
                world = Maker(runtime, sizes, running.ask).make()
            counted = _statements(ini, world, paths)
            measurement = Measurement(
                running, world, load, servers.addresses.database_url, connections
            )
            measured = []
            for path in paths:
                found = measurement.measure(path, turns, requests)
                found.statements = counted[path.name]
                click.echo(report.row(found))
                measured.append(found)
            return measured


def _statements(ini: Ini, world: World, paths: list[Driven]) -> Mapping[str, int]:
    """How many statements a request of each path executes, after the caches of the process are
    filled.
    """
    found = {}
    with ini.config(has_endpoints=True) as config:
        engines = config.registry.runtime.database.engines
        application = config.make_wsgi_app()
        for path in paths:
            # Use the last callers, because the measurement uses the first ones. Only the last
            # request counts. The earlier requests fill caches, and saving a first draft costs more
            # than saving it again.
            times = 1 if path.once else 2
            callers = [(len(world.candidates) - CALLERS, CALLERS)] * times
            for sent in chain.from_iterable(path.requests(world, *each) for each in callers):
                with executed(engines) as sent_statements:
                    reply = Request.from_bytes(sent).get_response(application)
                found[path.name] = len(sent_statements)
                if reply.status_int not in (path.status, 200):
                    raise RuntimeError(f"{path.name}: {reply.status} {reply.text}")
    return found
