"""A PostgreSQL on another host, which tests reach over TCP, and which can vanish.

The PostgreSQL of the tests listens on a Unix socket only, so a process forwards connections to it.
"""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO
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
# Addresses from a range that is reserved for tests of networks (RFC 2544).
HERE, THERE = "198.18.77.1", "198.18.77.2"
# The flag for network namespaces in setns(2).
CLONE_NEWNET = 0x40000000


@contextmanager
def over_tcp(url: URL, host: str = "127.0.0.1", within: Sequence[str] = ()) -> Iterator[URL]:
    """Context manager: the URL of the same database over TCP. The process that forwards the
    connections listens on `host`. Its command line begins with `within`.
    """
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
    """Two network namespaces that a cable connects: `near` for a client, `far` for the host.

    The machine's own network does not change, because browsers in other tests stop loading when it
    does.
    """

    def __init__(self) -> None:
        name = uuid4().hex[:8]
        self.near, self.far = f"near-{name}", f"far-{name}"

    @property
    def within(self) -> list[str]:
        """The beginning of a command line, to run the command on the host."""
        return ["ip", "netns", "exec", self.far]

    def build(self) -> None:
        for name in (self.near, self.far):
            _run("ip", "netns", "add", name)
        peer = ["peer", "name", "cable", "netns", self.far]
        _run("ip", "-n", self.near, "link", "add", "cable", "type", "veth", *peer)
        for name, address in ((self.near, HERE), (self.far, THERE)):
            _run("ip", "-n", name, "address", "add", f"{address}/30", "dev", "cable")
            _run("ip", "-n", name, "link", "set", "cable", "up")

    @contextmanager
    def in_reach(self) -> Iterator[None]:
        """Context manager: this thread, and threads that it starts, open new connections in the
        namespace `near`.
        """
        with open("/proc/thread-self/ns/net") as own, open(f"/run/netns/{self.near}") as near:
            _enter(near)
            try:
                yield
            finally:
                _enter(own)

    def vanish(self, away: bool = True) -> None:
        """Drop all packets from now on, in both directions. Neither end is notified."""
        _run("ip", "-n", self.far, "link", "set", "cable", "down" if away else "up")

    def remove(self) -> None:
        # This deletes the cable too.
        for name in (self.near, self.far):
            subprocess.run(["ip", "netns", "delete", name], check=False)


def _enter(namespace: IO[str]) -> None:
    """Move this thread to a network namespace. Python has `os.setns` only since 3.12."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(namespace.fileno(), CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")


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
