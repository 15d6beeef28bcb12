"""Work: what a rule needs to do its work, and nothing of where the call came from.

Each request, job, socket frame and command has one, with its own session. Those that may change
something run in one transaction; a GET only reads, unless it declares ``transaction=True``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from transaction import TransactionManager

from competition.core.auth.identity import Identity
from competition.core.database import ReadingSession, check_transaction
from competition.core.monitoring.logs import carrying, request_id_var
from competition.core.runtime import Runtime
from competition.core.settings import Settings

# Users are made of work: at run time this module knows nothing of them.
if TYPE_CHECKING:
    from competition.core.users.models import User


@dataclass
class Work:
    """`now` is the one time of this work, aware, in UTC. `actor` and `user` are the caller, None
    where nobody is logged in and in jobs. `user` is as old as the work: a rule that locks it reads
    it again. `address` is the client's."""

    runtime: Runtime
    db: Session
    manager: TransactionManager
    now: datetime
    request_id: str
    actor: Identity | None = None
    user: User | None = None
    address: str | None = None

    @classmethod
    def of(
        cls,
        runtime: Runtime,
        manager: TransactionManager,
        request_id: str,
        address: str | None = None,
        *,
        only_reads: bool = False,
    ) -> Self:
        """A Work in a transaction that has begun, or one that only reads, whose session the caller
        closes. What is logged from here on carries the request id."""
        request_id_var.set(request_id)
        database = runtime.database
        return cls(
            runtime=runtime,
            db=database.reading_session() if only_reads else database.session(manager),
            manager=manager,
            now=runtime.clock(),
            request_id=request_id,
            address=address,
        )

    @property
    def settings(self) -> Settings:
        return self.runtime.settings

    @property
    def identity(self) -> Identity:
        """The actor, in a rule that only an authenticated user reaches."""
        if self.actor is None:
            raise LookupError("nobody is logged in")
        return self.actor

    def emit(self, event: Any) -> None:
        """Tell the subscribers of the event's class, here and now, in this transaction. What one
        of them raises aborts it. An event carries its work."""
        self.runtime.notify(event)
        counted = self.runtime.metrics.events.labels(type(event).__name__)
        self.after_commit(counted.inc)

    def lock(self, name: str, *, wait: bool = True) -> bool:
        """Take a lock that has a name and no row, and hold it until the commit. `name` begins with
        its owner's, such as ``leaderboard.publish``.

        With `wait` False this returns False instead of waiting for another transaction. Raises
        NoTransaction in work that only reads.
        """
        check_transaction(self.db)
        key = func.hashtextextended(name, 0)
        if wait:
            self.db.execute(select(func.pg_advisory_xact_lock(key)))
            return True
        return bool(self.db.scalar(select(func.pg_try_advisory_xact_lock(key))))

    def after_commit(self, action: Callable[[], None]) -> None:
        """Call `action` once the transaction is committed. An exception in it is logged and
        swallowed: the work is done."""

        def hook(committed: bool) -> None:
            if committed:
                action()

        self.manager.get().addAfterCommitHook(hook)

    def after_abort(self, action: Callable[[], None]) -> None:
        """Call `action` when the transaction fails, to undo what was done outside the database,
        such as a file already stored."""
        transaction = self.manager.get()
        transaction.addAfterAbortHook(action)
        # A commit that fails is not followed by an abort.
        transaction.addAfterCommitHook(lambda committed: None if committed else action())


@contextmanager
def begin(runtime: Runtime, request_id: str | None = None) -> Iterator[Work]:
    """A unit of work outside a request: commits at the end, aborts on an exception."""
    request_id = request_id or uuid4().hex
    manager = TransactionManager(explicit=True)
    manager.begin()
    with carrying(request_id):
        try:
            yield Work.of(runtime, manager, request_id)
        except BaseException:
            manager.abort()
            raise
        else:
            manager.commit()


@contextmanager
def reading(runtime: Runtime) -> Iterator[Work]:
    """A unit of work outside a request that only reads."""
    manager = TransactionManager(explicit=True)
    manager.begin()
    request_id = uuid4().hex
    with carrying(request_id):
        work = Work.of(runtime, manager, request_id, only_reads=True)
        try:
            yield work
        finally:
            work.db.close()
            manager.abort()


@contextmanager
def changing(work: Work) -> Iterator[Work]:
    """A unit of work that may change something: this one if it has a transaction, otherwise another
    one, which is committed at the end. For a reader that finds something out of date."""
    if not isinstance(work.db, ReadingSession):
        yield work
        return
    with begin(work.runtime, work.request_id) as other:
        other.now = work.now
        other.actor, other.address = work.actor, work.address
        yield other
