"""The process of `competition ws`: signals and limits around the socket server."""

import asyncio
import resource
import signal
from contextlib import suppress

from competition.collector import exclude_existing_objects
from competition.core.runtime import Runtime
from competition.ws.server import SocketServer

OPEN_FILES = 10_240


def run(runtime: Runtime) -> None:
    """Run the socket server until SIGTERM or Ctrl-C. Then it closes all sockets, and asks the
    clients to reconnect."""
    _allow_many_sockets()
    exclude_existing_objects()
    asyncio.run(_run(runtime))


async def _run(runtime: Runtime) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    await SocketServer(runtime).run(stopping)


def _allow_many_sockets() -> None:
    """Raise the soft limit of open files, which is often 1,024. Each socket counts as a file."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    # macOS accepts no unlimited value.
    wanted = OPEN_FILES if most == resource.RLIM_INFINITY else most
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
