"""Measure the first minute of an exam, and its last one.

Requests come at random moments, as many a second as if all candidates came within a minute, whether
the service keeps up or not.
"""

from statistics import median, quantiles

from sqlalchemy import create_engine

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.runtime import API_PREFIX
from tools.bench.exam_day import DRAFTED, OPEN, SAT, take
from tools.bench.load import Answered, Load, message
from tools.bench.processes import OF_SERVICE, Running, service, temporary_servers
from tools.bench.world import Maker, Sizes, answers

API_PROCESSES = 2
MINUTE = 60.0
# The target for the 99th percentile of the waiting times, in seconds.
AT_MOST = 1.0


def main(ini: Ini, sizes: Sizes, threads: int) -> bool:
    """Print the times, and return whether all targets are met."""
    workers = {"COMPETITION_SERVER_WORKERS": f"{API_PROCESSES}"}
    with temporary_servers(**workers) as servers, Load() as load:
        database.upgrade(ini)
        with service(ini.path, servers, threads) as running:
            with ini.runtime() as runtime:
                world = Maker(runtime, sizes, running.ask).make()
            engine = create_engine(servers.addresses.database_url)
            with engine.begin() as connection:
                connection.execute(OPEN, {"sat": SAT, "drafted": DRAFTED})
            engine.dispose()
            # The first request freezes the paper.
            running.ask(take(SAT, world.candidates[0]))
            path = f"{API_PREFIX}/exams/{SAT}/submit-exam-answers/"
            body = answers(world.asked_in(SAT))
            return all(
                [
                    _measure(running, load, name, sent, status)
                    for name, sent, status in (
                        ("first starts", [take(SAT, each) for each in world.candidates], 200),
                        (
                            "submissions",
                            [message("POST", path, each, body) for each in world.candidates],
                            201,
                        ),
                    )
                ]
            )


def _measure(running: Running, load: Load, name: str, sent: list[bytes], status: int) -> bool:
    rate = len(sent) / MINUTE
    before = running.cpu(OF_SERVICE)
    answered = load.arrive(running.api, sent, rate)
    after = running.cpu(OF_SERVICE)
    times = (median(answered.seconds), _p99(answered), max(answered.seconds))
    statuses = (f"{count:,} with {each}" for each, count in sorted(answered.statuses.items()))
    cpu = (f"{each} {1000 * (after[each] - before[each]) / len(sent):.1f}" for each in OF_SERVICE)
    print(
        f"{len(sent):,} {name}, {rate:.0f}/s:".ljust(32)
        + "p50 {:5.0f}, p99 {:5.0f}, max {:5.0f} ms; ".format(*(1000 * t for t in times))
        + f"{', '.join(statuses)}; CPU ms: {', '.join(cpu)}",
        flush=True,
    )
    return _p99(answered) <= AT_MOST and set(answered.statuses) == {status}


def _p99(answered: Answered) -> float:
    return quantiles(answered.seconds, n=100)[98]
