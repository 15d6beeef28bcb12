"""Close the sockets whose token has expired, whose session has ended, or whose account or API key
is no longer valid."""

import asyncio
from collections.abc import Collection
from uuid import UUID

from competition.core.auth.access import USER
from competition.core.monitoring.logs import patient
from competition.core.push.sockets import ENDED
from competition.core.runtime import Runtime
from competition.core.users import api_keys, callers
from competition.core.work import begin
from competition.ws.hub import Hub, Socket
from competition.ws.seats import Seats
from competition.ws.threads import Threads

log = patient(__name__)

# How often sockets with expired tokens are closed, in seconds.
EXPIRIES_EVERY = 1.0


class Watch:
    """Closes sockets that may no longer stay open. All sockets are checked every `recheck` seconds.
    The sockets of a user are also checked as soon as a session of the user ends. Sockets whose
    token has expired are closed within a second."""

    def __init__(
        self, runtime: Runtime, threads: Threads, hub: Hub, seats: Seats, recheck: float
    ) -> None:
        self._runtime = runtime
        self._threads = threads
        self._hub = hub
        self._seats = seats
        self._recheck = recheck
        # Users whose sockets have to be checked, because one of their sessions has ended.
        self._ended: set[UUID] = set()
        self._check_all = False
        self._woken = asyncio.Event()

    def wake(self, user_id: str) -> None:
        """Let the sockets of a user be checked soon. Only logs a warning if `user_id` is not a
        UUID."""
        try:
            self._ended.add(UUID(user_id))
        except ValueError:
            # Every database user can send a NOTIFY with any text.
            log.warning("a notification of ended sessions names no user")
        self._woken.set()

    def wake_for_all(self) -> None:
        """Let all sockets be checked soon, because notifications of ended sessions may have been
        missed."""
        self._check_all = True
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
        """Check the sockets of users with ended sessions, as soon as a NOTIFY names them."""
        while True:
            await self._woken.wait()
            self._woken.clear()
            ended, self._ended = self._ended, set()
            check_all, self._check_all = self._check_all, False
            await self._check(
                list(self._hub)
                if check_all
                else [socket for user in ended for socket in self._hub.of(user)]
            )

    async def _rounds(self) -> None:
        """Check all sockets and their API keys every `recheck` seconds, and renew the seats.

        A NOTIFY may get lost, and there is none when an API key is revoked.
        """
        while True:
            await asyncio.sleep(self._recheck)
            sockets = list(self._hub)
            await self._check(sockets)
            await self._check_keys(sockets)
            seats = [(socket.identity.user_id, socket.id.hex) for socket in sockets]
            now = self._runtime.clock().timestamp()
            await self._threads.run(self._seats.renew, seats, now)
            # This also renewed the seats of sockets that were closed during the checks. Free these
            # seats again.
            for socket in set(sockets).difference(self._hub):
                user_id = socket.identity.user_id
                await self._threads.run(self._seats.leave, user_id, socket.id.hex)

    async def _check(self, sockets: Collection[Socket]) -> None:
        if not sockets:
            return
        ids = {socket.session_id for socket in sockets}
        try:
            valid = await self._threads.run(self._valid_sessions, ids)
        except Exception:
            # The next round checks them again.
            log.exception("sessions can't be checked")
            return
        over = [socket for socket in sockets if socket.session_id not in valid]
        self._hub.close(over, ENDED, "The session has ended.")

    async def _check_keys(self, sockets: Collection[Socket]) -> None:
        keys = {socket: key for socket in sockets if (key := socket.identity.api_key_id)}
        if not keys:
            return
        try:
            valid = await self._threads.run(self._valid_keys, set(keys.values()))
        except Exception:
            log.exception("API keys can't be checked")
            return
        over = [socket for socket, key in keys.items() if key not in valid]
        self._hub.close(over, ENDED, "The API key is no longer valid.")

    def _valid_keys(self, key_ids: Collection[int]) -> set[int]:
        with begin(self._runtime) as work:
            return api_keys.good(work, key_ids)

    def _valid_sessions(self, session_ids: Collection[UUID]) -> set[UUID]:
        with begin(self._runtime) as work:
            found = callers.living(work, session_ids)
        return {each for each, identity in found.items() if USER.refusal(identity) is None}
