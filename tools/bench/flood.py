"""Measure how long a logged-in candidate waits for replies during a flood of logins."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from statistics import median, quantiles

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.runtime import API_PREFIX
from tools.bench.load import Answered, Load, message
from tools.bench.paths import logins
from tools.bench.processes import service, temporary_servers
from tools.bench.world import Maker, Sizes

# How many clients log in without pauses, in each measurement.
CLIENTS = (0, 8, 30)
SECONDS = 10.0
# The time between two requests of the logged-in candidate, in seconds.
EVERY = 0.02
# The target for the 99th percentile of the waiting times, in seconds.
AT_MOST = 0.1


def main(ini: Ini, sizes: Sizes, threads: int) -> bool:
    """Print the times, and return whether all targets are met."""
    with ExitStack() as stack:
        servers = stack.enter_context(temporary_servers())
        # Two processes send requests, so that the flood does not delay the candidate's requests.
        flood, other = stack.enter_context(Load()), stack.enter_context(Load())
        pool = stack.enter_context(ThreadPoolExecutor(1))
        database.upgrade(ini)
        running = stack.enter_context(service(ini.path, servers, threads))
        with ini.runtime() as runtime:
            world = Maker(runtime, sizes, running.ask).make()
        sent = logins(world, 0, len(world.candidates))
        me = [message("GET", f"{API_PREFIX}/candidates/me/", each) for each in world.candidates]
        found = []
        for clients in CLIENTS:
            flooding = pool.submit(flood.keep_sending, running.api, sent, clients, SECONDS)
            found.append(other.keep_sending(running.api, me, 1, SECONDS, EVERY))
            _report(clients, found[-1], flooding.result())
    return all(_p99(each) <= AT_MOST for each in found)


def _p99(answered: Answered) -> float:
    return quantiles(answered.seconds, n=100)[98]


def _report(clients: int, me: Answered, logged_in: Answered) -> None:
    times = (median(me.seconds), _p99(me), max(me.seconds))
    print(
        f"{clients:>2} clients log in:   "
        + "me p50 {:4.0f}, p99 {:4.0f}, max {:4.0f} ms;   ".format(*(1000 * t for t in times))
        + ", ".join(
            f"{count / logged_in.took:.0f} logins/s with status {status}"
            for status, count in sorted(logged_in.statuses.items())
        ),
        flush=True,
    )
