"""Measure the memory of a small service that has just answered some requests."""

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.runtime import API_PREFIX, ServerSettings
from tools.bench.load import Load, message
from tools.bench.processes import OF_SERVICE, service, temporary_servers
from tools.bench.world import ASKED, Maker, Sizes

SMALL = Sizes(candidates=500, questions=2 * ASKED, exams=2)
CONNECTIONS = 4
# All processes together must take less than this, in MiB.
AT_MOST = 500


def main(ini: Ini) -> bool:
    """Print the memory of each program and its processes, and return whether the target is met."""
    with temporary_servers() as servers, Load() as load:
        database.upgrade(ini)
        with service(ini.path, servers, ServerSettings.threads) as running:
            with ini.runtime() as runtime:
                world = Maker(runtime, SMALL, running.ask).make()
            for path in ("candidates/me/", f"exams/{world.open_exam}/take-exam/"):
                sent = [message("GET", f"{API_PREFIX}/{path}", each) for each in world.candidates]
                load.send(running.api, sent, CONNECTIONS)
            found = {name: running.shares_of_memory(name) for name in OF_SERVICE}
    for name, shares in found.items():
        processes = " + ".join(f"{each / 1024:.0f}" for each in shares)
        print(f"{name:8} {sum(shares) / 1024:4.0f} MiB: {processes}")
    total = sum(map(sum, found.values())) / 1024
    print(f"together {total:4.0f} MiB")
    return total < AT_MOST
