"""A baseline for pushes: a server that uses only the library `websockets`.

A line ``COUNT`` on standard input makes it send that many frames, to one client after the other.
"""

import asyncio
import logging
import sys
from itertools import cycle, islice

from websockets.asyncio.server import ServerConnection, serve

from tools.bench.files import many_files

FRAME = (
    '{"type":"notification_activity","message":{"id":123456,"subject":"Subject 123456",'
    '"message":"What user 123456 is told.","read":false,'
    '"created_at":"2026-01-01T00:00:00.000000Z"}}'
)
opened: list[ServerConnection] = []


async def handle(socket: ServerConnection) -> None:
    opened.append(socket)
    await socket.wait_closed()


async def run(port: int) -> None:
    logging.disable()
    async with serve(handle, "127.0.0.1", port, compression=None, backlog=4096):
        print("open", flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            for socket in islice(cycle(opened), int(line)):
                await socket.send(FRAME)


if __name__ == "__main__":
    many_files()
    asyncio.run(run(int(sys.argv[1])))
