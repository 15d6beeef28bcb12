"""Work: one unit of work, with the session, time and caller that business code needs, whether a
request, a job or a command calls that code.

Each request, job, socket frame and command has its own Work and session. Work that may change
something runs in one transaction. A GET only reads, unless it declares ``transaction=True``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Self
from uuid import uuid4

from sqlalchemy import event, func, select
from sqlalchemy.orm import Session
from transaction import TransactionManager

from competition.core.auth.identity import Identity
from competition.core.database import ReadingSession, check_transaction
from competition.core.database_errors import is_unanswered
from competition.core.monitoring.logs import carrying, request_id_var
from competition.core.runtime import Runtime
from competition.core.settings import Settings


@dataclass
class Work:
    """A unit of work.

    `now` is the time at which the work began, in UTC, and does not change. `actor` and `user` are
    the caller; they are None if the caller is not logged in, and in jobs. `user` is a row with the
    columns of `core.users.models.ACCOUNT`, or a User after a login. This module can't import these
    types, because they are in a higher layer. The row was read when the work began, so code that
    locks the account must read it again. `address` is the client's network address, and
    `user_agent` is the header in which a client names itself. `made` has values that later code in
    the same work may need, such as rows that were inserted. Its keys are classes.
    """

    runtime: Runtime
    db: Session
    manager: TransactionManager
    now: datetime
    request_id: str
    actor: Identity | None = None
    user: object | None = None
    address: str | None = None
    user_agent: str | None = None
    made: dict[type, Any] = field(default_factory=dict)

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
        """A Work in the transaction that the manager has begun. With `only_reads`, it gets a
        reading session, which the caller of this method must close.

        Log records from here on carry the request id.
        """
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
        """The actor, for code that requires an authenticated user. Raises LookupError if there is
        none."""
        if self.actor is None:
            raise LookupError(
                "No user is logged in: declare the endpoint with an access for users."
            )
        return self.actor

    def emit(self, event: Any) -> None:
        """Call the subscribers of the event's class immediately, in this transaction.

        An exception in a subscriber aborts the transaction. An event contains the Work that emits
        it. Metrics count the event after the commit.
        """
        self.runtime.notify(event)
        counted = self.runtime.metrics.events.labels(type(event).__name__)
        self.after_commit(counted.inc)

    def lock(self, name: str, *, wait: bool = True, shared: bool = False) -> bool:
        """Acquire an advisory lock, and hold it until the end of the transaction.

        `name` begins with the name of its plugin, such as ``leaderboard.publish``. If `wait` is
        False, this returns False instead of waiting for another transaction. Several transactions
        can hold the lock at the same time if all of them acquire it as `shared`. Raises
        NoTransaction if the work only reads.
        """
        check_transaction(self.db)
        key = func.hashtextextended(name, 0)
        kind = "_shared" if shared else ""
        if wait:
            self.db.execute(select(getattr(func, f"pg_advisory_xact_lock{kind}")(key)))
            return True
        return bool(self.db.scalar(select(getattr(func, f"pg_try_advisory_xact_lock{kind}")(key))))

    def after_commit(self, action: Callable[[], None]) -> None:
        """Call `action` after the transaction was committed. An exception in it is logged and
        ignored, because the transaction can't be undone any longer."""

        def hook(committed: bool) -> None:
            if committed:
                action()

        self.manager.get().addAfterCommitHook(hook)

    def after_abort(self, action: Callable[[], None]) -> None:
        """Call `action` if the transaction fails, to undo changes outside the database, such as a
        file that was stored.

        `action` is not called if the COMMIT was sent, but its reply was lost: PostgreSQL may have
        committed.
        """
        commits: list[Session] = []
        event.listen(self.db, "before_commit", commits.append)

        def hook(committed: bool) -> None:
            # If the commit has failed, its exception is being handled while this hook is called.
            is_unknown = bool(commits) and is_unanswered(sys.exception())
            if not committed and not is_unknown:
                action()

        transaction = self.manager.get()
        transaction.addAfterAbortHook(action)
        # This hook is needed too, because a commit that fails is not followed by an abort.
        transaction.addAfterCommitHook(hook)


@contextmanager
def begin(
    runtime: Runtime, request_id: str | None = None, address: str | None = None
) -> Iterator[Work]:
    """Context manager for work outside a request: commits at the end, or aborts on an exception."""
    request_id = request_id or uuid4().hex
    manager = TransactionManager(explicit=True)
    with carrying(request_id), manager:
        yield Work.of(runtime, manager, request_id, address)


@contextmanager
def reading(runtime: Runtime) -> Iterator[Work]:
    """Context manager for work that only reads, outside a request."""
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
def snapshot(work: Work) -> Iterator[Work]:
    """Context manager: a copy of `work` that reads one snapshot of the database.

    Its rows can be read in parts (`yield_per`), because they don't change in between.
    """
    # Return the connection first: a request must not wait for a second one while it holds one.
    work.db.close()
    with work.runtime.database.snapshot_session() as session:
        yield replace(work, db=session)


@contextmanager
def changing(work: Work) -> Iterator[Work]:
    """Context manager for a change in the middle of work that may only read, such as refreshing a
    value that is out of date.

    It yields `work` if `work` has a transaction, and otherwise a new Work, which is committed at
    the end.
    """
    if not isinstance(work.db, ReadingSession):
        yield work
        return
    with begin(work.runtime, work.request_id) as other:
        other.now = work.now
        other.actor, other.address = work.actor, work.address
        yield other
