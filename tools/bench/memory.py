"""Measure the memory of a small service that has just answered some requests."""

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.runtime import API_PREFIX, ServerSettings
from tools.bench.load import Load, message
from tools.bench.processes import OF_SERVICE, service, temporary_servers
from tools.bench.world import ASKED, Maker, Sizes

SMALL = Sizes(candidates=500, questions=2 * ASKED, exams=2)
CONNECTIONS = 4
# The target for all processes together, in MiB.
AT_MOST = 500


def main(ini: Ini) -> bool:
    """Print the memory of each program, and return whether the target is met."""
    with temporary_servers() as servers, Load() as load:
        database.upgrade(ini)
        with service(ini.path, servers, ServerSettings.threads) as running:
            with ini.runtime() as runtime:
                world = Maker(runtime, SMALL, running.ask).make()
            for path in ("candidates/me/", f"exams/{world.open_exam}/take-exam/"):
                sent = [message("GET", f"{API_PREFIX}/{path}", each) for each in world.candidates]
                load.send(running.api, sent, CONNECTIONS)
            found = {name: running.share_of_memory(name) / 1024 for name in OF_SERVICE}
    total = sum(found.values())
    print(", ".join(f"{name} {each:.0f}" for name, each in found.items()) + f": {total:.0f} MiB")
    return total <= AT_MOST
