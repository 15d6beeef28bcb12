"""Work: what a rule needs to do its work, and nothing of where the call came from.

Each request, job, socket frame and command has one, with its own session. Those that may change
something run in one transaction; a GET only reads, unless it declares ``transaction=True``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Self, TypeVar
from uuid import uuid4

from sqlalchemy import func, insert, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session
from transaction import TransactionManager

from competition.core.auth.identity import Identity
from competition.core.database import NoTransaction, ReadingSession, is_retryable
from competition.core.jobs.models import Job
from competition.core.jobs.tasks import (
    JobSettings,
    Task,
    check_arguments,
    check_taken,
    check_taken_in_batch,
)
from competition.core.logs import request_id_var
from competition.core.runtime import Runtime
from competition.core.settings import Settings
from competition.core.users.models import User

T = TypeVar("T")

NEW_JOB = insert(Job.__table__).values(state="pending", attempts=0)  # type: ignore[arg-type]  # it is a Table

# Joins by hashing alone, in memory that they share with nobody but a few of their kind.
OVER_SETS = {"enable_nestloop": "off", "enable_mergejoin": "off", "work_mem": "64MB"}

# How often work that loses a race is done at most.
TRIES = 3


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
    def only_reads(self) -> bool:
        """Whether this work has no transaction."""
        return isinstance(self.db, ReadingSession)

    def check_transaction(self) -> None:
        """Raise NoTransaction in work that only reads."""
        if self.only_reads:
            raise NoTransaction("declare the endpoint with transaction=True")

    @property
    def settings(self) -> Settings:
        return self.runtime.settings

    @property
    def identity(self) -> Identity:
        """The actor, in a rule that only an authenticated user reaches."""
        if self.actor is None:
            raise LookupError("nobody is logged in")
        return self.actor

    def enqueue(
        self, name: str, *, key: str = "", run_after: datetime | None = None, **args: Any
    ) -> None:
        """Ask for a run of a task, in this transaction; a worker hears of it after the commit, or
        not before `run_after`, or finds it a moment later if the task gathers.

        `args` are JSON: ids, and a UUID as a text. Jobs of one name and `key` may be run together.
        Raises LookupError for an unknown task, TypeError for what is no JSON, or nothing that the
        task takes.
        """
        self.check_transaction()
        task = self.runtime.catalogue.named(Task, name)
        check_arguments(name, args)
        if task.batch:
            check_taken_in_batch(name, task.function, args)
        else:
            check_taken(name, task.function, 1, args)
        gather = self.settings[JobSettings].gather if task.gathers else 0
        run_after = run_after or self.now + timedelta(seconds=gather)
        job = {
            "name": task.name,
            "key": key,
            "args": args,
            "run_after": run_after,
            "created_at": self.now,
            "request_id": self.request_id,
            "traceparent": self.runtime.traces.traceparent,
        }
        self.db.execute(NEW_JOB, job)
        # What is for later is found by the workers.
        if run_after <= self.now:
            self.after_commit(lambda: self.runtime.doorbell.ring(task.lane))

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
        self.check_transaction()
        key = func.hashtextextended(name, 0)
        if wait:
            self.db.execute(select(func.pg_advisory_xact_lock(key)))
            return True
        return bool(self.db.scalar(select(func.pg_try_advisory_xact_lock(key))))

    @contextmanager
    def over_sets(self) -> Iterator[None]:
        """Context: a statement inside is over all rows of an exam or of everything, and takes time
        in proportion to them. PostgreSQL may know nothing of them yet: an exam's come all at once,
        after the last ANALYZE. It then expects one, and would read a table again for each
        (docs/decisions/0014-when-the-database-is-away.md). Raises NoTransaction in work that only
        reads."""
        self.check_transaction()
        self._set_locally(OVER_SETS)
        yield
        # Not after an error: they are gone with the transaction.
        self._set_locally(dict.fromkeys(OVER_SETS))

    def _set_locally(self, values: Mapping[str, str | None]) -> None:
        """None is what the connection came with."""
        self.db.execute(
            select(*(func.set_config(name, value, True) for name, value in values.items()))
        )

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
def carrying(request_id: str) -> Iterator[None]:
    """Context: what is logged inside carries the id of the request that caused it."""
    before = request_id_var.get()
    request_id_var.set(request_id)
    try:
        yield
    finally:
        request_id_var.set(before)


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
    if not work.only_reads:
        yield work
        return
    with begin(work.runtime, work.request_id) as other:
        other.now = work.now
        other.actor, other.address = work.actor, work.address
        yield other


def retrying(action: Callable[[], T]) -> T:
    """What `action` returns. It is called again if it loses a race against another transaction, or
    its connection turns out to be dead; `action` does all its work in transactions of its own, and
    may run twice."""
    for _ in range(TRIES - 1):
        try:
            return action()
        except DBAPIError as error:
            if not is_retryable(error):
                raise
    return action()
