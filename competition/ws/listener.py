"""Receive PostgreSQL's NOTIFY messages on a separate connection, and reconnect if it is lost."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import psycopg
from sqlalchemy import make_url

from competition.core.monitoring.logs import patient
from competition.core.push.notify import CHANNEL, LISTENER

log = patient(__name__)

# The first and the longest pause before a reconnect, in seconds. The pause doubles each time.
FIRST_BACKOFF = 0.1
LONGEST_BACKOFF = 5.0
# The time without a NOTIFY after which the connection is tested, and the timeout of that test, in
# seconds.
LONGEST_SILENCE = 10.0
SIGN_OF_LIFE_TIMEOUT = 5


class Listener:
    """Calls `received(topic, value, traceparent)` for each NOTIFY. Each time it begins to listen,
    it calls `connected()`, which has to make up for notifications that were missed before."""

    def __init__(
        self, url: str, connected: Callable[[], None], received: Callable[[str, str, str], None]
    ) -> None:
        parsed = make_url(url)
        _, self._address = parsed.get_dialect()().create_connect_args(parsed)
        self._connected = connected
        self._received = received
        self.is_listening = False

    async def run(self) -> None:
        backoff = FIRST_BACKOFF
        while True:
            try:
                await self._listen()
            except (psycopg.Error, OSError, TimeoutError) as error:
                # Log only the type, because the message of a connection error may quote the whole
                # address.
                log.warning("not listening: %s", type(error).__name__)
            # `_listen` only ends with an error. If it had connected, the backoff starts again.
            backoff = FIRST_BACKOFF if self.is_listening else min(backoff * 2, LONGEST_BACKOFF)
            self.is_listening = False
            await asyncio.sleep(backoff * random.uniform(0.5, 1))

    async def _listen(self) -> None:
        connection: psycopg.AsyncConnection[Any] = await psycopg.AsyncConnection.connect(
            **self._address,
            autocommit=True,
            connect_timeout=SIGN_OF_LIFE_TIMEOUT,
            application_name=LISTENER,
        )
        async with connection:
            await connection.execute(f"listen {CHANNEL}")
            self.is_listening = True
            log.info("listening")
            self._connected()
            while True:
                async for notify in connection.notifies(timeout=LONGEST_SILENCE):
                    topic, value, traceparent, *_ = (*notify.payload.split(":"), "", "")
                    self._received(topic, value, traceparent)
                async with asyncio.timeout(SIGN_OF_LIFE_TIMEOUT):
                    await connection.execute("select 1")
