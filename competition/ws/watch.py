"""Closes sockets when what opened them ends: the token, the session, the account, the API key."""

import asyncio
from collections.abc import Collection
from uuid import UUID

from competition.core.auth.access import USER
from competition.core.monitoring.logs import patient
from competition.core.push.sockets import ENDED
from competition.core.runtime import Runtime
from competition.core.users import api_keys, sessions
from competition.core.work import begin
from competition.ws.hub import Hub, Socket
from competition.ws.seats import Seats
from competition.ws.threads import Threads

log = patient(__name__)

# Seconds.
EXPIRIES_EVERY = 1.0


class Watch:
    def __init__(
        self, runtime: Runtime, threads: Threads, hub: Hub, seats: Seats, recheck: float
    ) -> None:
        self._runtime = runtime
        self._threads = threads
        self._hub = hub
        self._seats = seats
        self._recheck = recheck
        # Users of whom a session has ended.
        self._ended: set[UUID] = set()
        self._unheard = False
        self._woken = asyncio.Event()

    def wake(self, user_id: str) -> None:
        try:
            self._ended.add(UUID(user_id))
        except ValueError:
            # Anybody with a connection to the database can NOTIFY.
            log.warning("sessions of nobody have ended")
        self._woken.set()

    def wake_for_all(self) -> None:
        """Look at all sockets: sessions may have ended while nobody listened."""
        self._unheard = True
        self._woken.set()

    async def run(self) -> None:
        await asyncio.gather(self._expiries(), self._endings(), self._rounds())

    async def _expiries(self) -> None:
        while True:
            await asyncio.sleep(EXPIRIES_EVERY)
            now = self._runtime.clock()
            over = [
                socket
                for socket in self._hub
                if socket.identity.expires_at and socket.identity.expires_at <= now
            ]
            self._hub.close(over, ENDED, "The token has expired.")

    async def _endings(self) -> None:
        """Look at the sockets of users of whom a NOTIFY said that sessions have ended."""
        while True:
            await self._woken.wait()
            self._woken.clear()
            ended, self._ended = self._ended, set()
            unheard, self._unheard = self._unheard, False
            await self._check(
                list(self._hub)
                if unheard
                else [socket for user in ended for socket in self._hub.of(user)]
            )

    async def _rounds(self) -> None:
        """Look at all sockets from time to time, should no NOTIFY have come; of API keys none
        does."""
        while True:
            await asyncio.sleep(self._recheck)
            sockets = list(self._hub)
            await self._check(sockets)
            await self._check_keys(sockets)
            seats = [(socket.identity.user_id, socket.id.hex) for socket in sockets]
            now = self._runtime.clock().timestamp()
            await self._threads.run(self._seats.renew, seats, now)
            # Those that were closed meanwhile have their seat again.
            for socket in set(sockets).difference(self._hub):
                user_id = socket.identity.user_id
                await self._threads.run(self._seats.leave, user_id, socket.id.hex)

    async def _check(self, sockets: Collection[Socket]) -> None:
        if not sockets:
            return
        ids = {socket.session_id for socket in sockets}
        try:
            living = await self._threads.run(self._living, ids)
        except Exception:
            # The next round asks again.
            log.exception("sessions can't be checked")
            return
        over = [socket for socket in sockets if socket.session_id not in living]
        self._hub.close(over, ENDED, "The session has ended.")

    async def _check_keys(self, sockets: Collection[Socket]) -> None:
        keys = {socket: key for socket in sockets if (key := socket.identity.api_key_id)}
        if not keys:
            return
        try:
            good = await self._threads.run(self._good, set(keys.values()))
        except Exception:
            log.exception("API keys can't be checked")
            return
        over = [socket for socket, key in keys.items() if key not in good]
        self._hub.close(over, ENDED, "The API key is not valid any more.")

    def _good(self, key_ids: Collection[int]) -> set[int]:
        with begin(self._runtime) as work:
            return api_keys.good(work, key_ids)

    def _living(self, session_ids: Collection[UUID]) -> set[UUID]:
        with begin(self._runtime) as work:
            found = sessions.living(work, session_ids)
        return {each for each, identity in found.items() if USER.refusal(identity) is None}
