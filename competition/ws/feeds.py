"""Push the new rows of feeds, such as notifications, to the sockets of the users they belong to."""

import asyncio
from uuid import UUID

import msgspec

from competition.core.monitoring.logs import patient
from competition.core.push.feeds import Feed
from competition.core.runtime import Runtime
from competition.core.work import begin
from competition.ws.hub import Hub
from competition.ws.threads import Threads

log = patient(__name__)

# How long to wait before the next try if loading failed, in seconds.
PAUSE_AFTER_FAILURE = 1.0
# How many ids are loaded at a time.
IDS_AT_ONCE = 1_000


class Follower:
    """Pushes the new rows of one feed, such as new notifications, to the users they belong to, in
    the order of their ids. Several calls of `wake` while it loads rows have the effect of one."""

    def __init__(self, runtime: Runtime, threads: Threads, hub: Hub, feed: Feed) -> None:
        self._runtime = runtime
        self._threads = threads
        self._hub = hub
        self.feed = feed
        self._seen = 0
        self._woken = asyncio.Event()
        # The traces of the transactions that have woken this follower.
        self._causes: set[str] = set()

    async def start(self) -> None:
        """Read the feed's latest id before the first client connects. Earlier rows are not pushed:
        clients get them from the REST API."""
        self._seen = await self._latest()

    def wake(self, traceparent: str = "") -> None:
        self._causes.add(traceparent)
        self._woken.set()

    async def run(self) -> None:
        while True:
            await self._woken.wait()
            self._woken.clear()
            causes, self._causes = self._causes, set()
            try:
                with self._runtime.traces.span(f"push {self.feed.name}", "producer", causes):
                    await self._read_on()
            except Exception:
                log.exception("%s can't be read", self.feed.name)
                await asyncio.sleep(PAUSE_AFTER_FAILURE)
                self._woken.set()

    async def _read_on(self) -> None:
        latest = await self._latest()
        # `latest` is lower than before if a backup was restored. New rows then get ids that were
        # used before.
        self._seen = min(self._seen, latest)
        while self._seen < latest:
            until = min(latest, self._seen + IDS_AT_ONCE)
            # List the connected users only after `latest` was read: clients that connect later get
            # these rows from the REST API.
            users = self._hub.users
            if users:
                frames = await self._threads.run(self._load, users, self._seen, until)
                sent = await self._hub.push(frames)
                log.debug("%s up to %d: %d frames", self.feed.name, until, sent)
            self._seen = until

    async def _latest(self) -> int:
        def latest() -> int:
            with begin(self._runtime) as work:
                return self.feed.latest(work)

        return await self._threads.run(latest)

    def _load(self, users: list[UUID], after: int, until: int) -> list[tuple[UUID, bytes]]:
        with begin(self._runtime) as work:
            frames = self.feed.load(work, users, after, until)
            return [(user_id, msgspec.json.encode(frame)) for user_id, frame in frames]
