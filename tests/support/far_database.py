"""A PostgreSQL at the other end of a TCP connection, which may vanish.

The PostgreSQL of the tests listens on a Unix socket only, so a process forwards connections to it.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from uuid import uuid4

from sqlalchemy import URL

FORWARD = """
import asyncio, sys

async def copy(source, target):
    try:
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
    finally:
        target.close()

async def forward(reader, writer):
    reader_behind, writer_behind = await asyncio.open_unix_connection(sys.argv[2])
    copies = copy(reader, writer_behind), copy(reader_behind, writer)
    await asyncio.gather(*copies, return_exceptions=True)

async def main():
    server = await asyncio.start_server(forward, sys.argv[1], 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""
# Addresses for tests of networks (RFC 2544), which nobody uses.
HERE, THERE = "198.18.77.1", "198.18.77.2"


@contextmanager
def over_tcp(url: URL, host: str = "127.0.0.1", within: Sequence[str] = ()) -> Iterator[URL]:
    """Context manager: the URL of the same database over TCP. The forwarding process listens on
    `host`; `within` is the beginning of its command line."""
    folder = url.query["host"]
    port = url.port or url.query.get("port", 5432)
    command = [*within, sys.executable, "-c", FORWARD, host, f"{folder}/.s.PGSQL.{port}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield url.set(host=host, port=int(process.stdout.readline()), query={})
        finally:
            process.kill()


def why_no_far_host() -> str | None:
    """The reason why `far_host` can't be used on this machine, or None."""
    if os.geteuid() != 0:
        return "only root can create a network namespace"
    if shutil.which("ip") is None:
        return "the command ip (iproute2) is missing"
    tried = subprocess.run(["unshare", "--net", "true"], capture_output=True, text=True)
    return tried.stderr.strip() or None


class FarHost:
    """A network namespace that a cable connects with this machine."""

    def __init__(self) -> None:
        self.name = f"far-{uuid4().hex[:8]}"
        # The name of an interface has at most 15 characters.
        self._cable = self.name

    @property
    def within(self) -> list[str]:
        """The beginning of a command line that runs on the host."""
        return ["ip", "netns", "exec", self.name]

    def build(self) -> None:
        _run("ip", "netns", "add", self.name)
        peer = ["peer", "name", "cable", "netns", self.name]
        _run("ip", "link", "add", self._cable, "type", "veth", *peer)
        _run("ip", "address", "add", f"{HERE}/30", "dev", self._cable)
        _run("ip", "link", "set", self._cable, "up")
        _run(*self.within, "ip", "address", "add", f"{THERE}/30", "dev", "cable")
        self.vanish(False)

    def vanish(self, away: bool = True) -> None:
        """Drop all packets from now on, in both directions. Neither end is notified."""
        _run(*self.within, "ip", "link", "set", "cable", "down" if away else "up")

    def remove(self) -> None:
        # This deletes the cable too.
        subprocess.run(["ip", "netns", "delete", self.name], check=False)


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


@contextmanager
def far_host() -> Iterator[FarHost]:
    host = FarHost()
    try:
        host.build()
        yield host
    finally:
        host.remove()
