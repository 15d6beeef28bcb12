"""A flood of logins, and how long somebody who is logged in waits meanwhile, from its first moment
on."""

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

# Who log in, and again as soon as they are answered.
CLIENTS = (0, 8, 30)
SECONDS = 10.0
# Between two requests of who is logged in.
EVERY = 0.02
# Seconds, of 99 in a hundred.
AT_MOST = 0.1


def main(ini: Ini, sizes: Sizes, threads: int) -> bool:
    """Whether everybody else is answered in time."""
    with ExitStack() as stack:
        servers = stack.enter_context(temporary_servers())
        # The one waits for no thread of the other.
        flood, other = stack.enter_context(Load()), stack.enter_context(Load())
        pool = stack.enter_context(ThreadPoolExecutor(1))
        database.upgrade(ini)
        running = stack.enter_context(service(ini.path, servers, threads))
        with ini.runtime() as runtime:
            world = Maker(runtime, sizes, running.api).make()
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
        f"{clients:>2} clients log in   "
        + "me p50 {:4.0f}, p99 {:4.0f}, at most {:4.0f} ms   ".format(*(1000 * t for t in times))
        + ", ".join(
            f"{count / logged_in.took:.0f}/s are {status}"
            for status, count in sorted(logged_in.statuses.items())
        ),
        flush=True,
    )
