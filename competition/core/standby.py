"""A standby of PostgreSQL: where that may be read which may be a second old.

An endpoint says that it may (`from_standby` of `competition.core.web.service.Endpoint`). Whether it
does is decided for each request: not while the standby is away or lags by more than the settings
allow, and not for who has just changed something. A replica that is read is always a little late:
so a thread compares how far both servers are, and what it knows is "the standby has all that was
committed by then", whatever the clocks of the machines say and whether or not anybody writes.
"""

import threading
import time
from collections import deque
from math import ceil, inf
from uuid import UUID

import redis
from sqlalchemy import TextClause, text
from sqlalchemy.exc import SQLAlchemyError

from competition.core.db import Database
from competition.core.logs import patient, reason

log = patient(__name__)

# Seconds.
COMPARED_EVERY = 0.25
WRITTEN = text("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')")
# One that was promoted is as far as it writes.
REPLAYED = text(
    "select pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()"
    " else pg_current_wal_lsn() end, '0/0')"
)
# Of everybody's changes, beside those of each user.
EVERYBODY = "standby:changed"


class Standby:
    """`database` is read, unless it lags by more than `lag` seconds behind the `primary`. Who has
    changed something is noted in Redis for as long; without Redis nobody reads here."""

    def __init__(
        self, database: Database, primary: Database, notes: redis.Redis, lag: float
    ) -> None:
        self.database = database
        self._primary = primary
        self._notes = notes
        self._lag = lag
        # How far the primary was, and when.
        self._written: deque[tuple[float, float]] = deque(maxlen=ceil(lag / COMPARED_EVERY) + 1)
        # What was committed by then is here.
        self._complete_until = -inf
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._closed = threading.Event()

    def is_good_for(self, user_id: UUID | None) -> bool:
        """Whether nothing is missing here that this user has to see. The first who asks has it
        compared from then on."""
        self._begin()
        if self.is_late:
            return False
        try:
            return not any(self._notes.mget([EVERYBODY, _of(user_id)]))
        except redis.RedisError:
            return False

    @property
    def is_late(self) -> bool:
        return time.monotonic() - self._complete_until > self._lag

    @property
    def is_compared(self) -> bool:
        return self._thread is not None

    def note_change(self, user_id: UUID | None = None) -> None:
        """Have this user, or everybody, read from the primary until it is here."""
        try:
            self._notes.set(_of(user_id) if user_id else EVERYBODY, 1, px=ceil(self._lag * 1000))
        except redis.RedisError:
            # Then they hardly read it: see is_good_for.
            log.warning("changes are not noted: Redis can't be reached")

    def leave(self) -> None:
        """Send everybody to the primary until the next comparison."""
        self._complete_until = -inf

    def close(self) -> None:
        self._closed.set()
        if self._thread is not None:
            self._thread.join()
        self.database.dispose()

    def _begin(self) -> None:
        with self._lock:
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._run, name="standby", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                self.compare()
            except SQLAlchemyError as error:
                log.warning("the standby is not read: %s", reason(error))
            self._closed.wait(COMPARED_EVERY)

    def compare(self) -> None:
        now = time.monotonic()
        self._written.append((now, _position(self._primary, WRITTEN)))
        here = _position(self.database, REPLAYED)
        self._complete_until = max(
            (when for when, written in self._written if written <= here), default=-inf
        )


def _position(database: Database, question: TextClause) -> float:
    with database.bind.engine.connect() as connection:
        return float(connection.execute(question).scalar_one())


def _of(user_id: UUID | None) -> str:
    return f"{EVERYBODY}:{user_id}"
