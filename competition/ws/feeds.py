"""Followers of feeds: load what was committed since the last time, and push it to the hub."""

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

# Seconds until another try when the database could not be asked.
PAUSE_AFTER_FAILURE = 1.0
# Ids that are looked at in one go.
IDS_AT_ONCE = 1_000


class Follower:
    """Pushes what one feed gets, in order. Any number of wake-ups while it reads are one."""

    def __init__(self, runtime: Runtime, threads: Threads, hub: Hub, feed: Feed) -> None:
        self._runtime = runtime
        self._threads = threads
        self._hub = hub
        self.feed = feed
        self._seen = 0
        self._woken = asyncio.Event()
        # Of who woke it.
        self._causes: set[str] = set()

    async def start(self) -> None:
        """Read how far the feed is, before the first client: what is there by now is for REST."""
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
        # It is lower when a backup was restored meanwhile: ids begin again from there.
        self._seen = min(self._seen, latest)
        while self._seen < latest:
            until = min(latest, self._seen + IDS_AT_ONCE)
            # Asked for after `latest`: who opens a socket later than this finds all of it in REST.
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
