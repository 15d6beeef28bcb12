"""Work: what a rule needs to do its work, and nothing of where the call came from.

There is one for each request, job, socket frame and command, each with its own transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Self, TypeVar
from uuid import UUID, uuid4

from sqlalchemy import Row, Select, func, insert, select
from transaction import TransactionManager

from competition.core.auth.identity import Identity
from competition.core.db import JoinedSession
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

S = TypeVar("S")

NEW_JOB = insert(Job.__table__).values(state="pending", attempts=0)  # type: ignore[arg-type]  # it is a Table

# Joins by hashing alone, in memory that they share with nobody but a few of their kind.
OVER_SETS = {"enable_nestloop": "off", "enable_mergejoin": "off", "work_mem": "64MB"}


# Of `held`: each Read that was asked together with who asks, with its rows.
READ_AHEAD = "read ahead"


@dataclass(frozen=True)
class Read:
    """What a rule reads: the statement that `build(work, *of)` returns, built once a process as
    `Work.statement` does it, and the values of its bindparams, besides `user_id`, the actor's, and
    `now`. It is of tables, not classes, and of a row or a few: `first_read` of an endpoint, and of
    what fills a slot."""

    build: Callable[..., Select[Any]]
    of: tuple[Hashable, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)


class BuiltStatements(dict[tuple[Hashable, ...], Any]):
    """Of this process, by the function that builds each and what it was given."""


@dataclass
class Work:
    """`now` is the one time of this work, aware, in UTC. `actor` is None where nobody is logged
    in and in jobs. `address` is the client's. `held` is what is kept until the end of the work: a
    session knows only what somebody holds."""

    runtime: Runtime
    db: JoinedSession
    manager: TransactionManager
    now: datetime
    request_id: str
    actor: Identity | None = None
    address: str | None = None
    is_on_standby: bool = False
    held: dict[Hashable, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        runtime: Runtime,
        manager: TransactionManager,
        request_id: str,
        address: str | None = None,
    ) -> Self:
        """A Work in a transaction that has begun; what is logged from here on carries the request
        id."""
        request_id_var.set(request_id)
        return cls(
            runtime=runtime,
            db=runtime.database.session(manager),
            manager=manager,
            now=runtime.clock(),
            request_id=request_id,
            address=address,
        )

    def statement(self, build: Callable[..., S], *of: Hashable) -> S:
        """What `build(work, *of)` returns, built once a process. For what thousands ask in one
        minute: to put a statement together costs as much as to run it. Whatever differs from
        request to request is a bindparam in it; of the work it may use the settings alone."""
        built = self.runtime.part(BuiltStatements)
        if (build, *of) not in built:
            built[build, *of] = build(self, *of)
        statement: S = built[build, *of]
        return statement

    def read(self, read: Read) -> Sequence[Row[Any]]:
        """Its rows, by the names of their columns; those of a `first_read` are there already, for
        who asks first."""
        ahead: list[tuple[Read, Sequence[Row[Any]]]] = self.held.get(READ_AHEAD, [])
        for at, (asked, rows) in enumerate(ahead):
            if asked == read:
                del ahead[at]
                return rows
        user_id = self.actor.user_id if self.actor else None
        given = {**read.values, "user_id": user_id, "now": self.now}
        return self.db.read(self.statement(read.build, *read.of), given)

    def read_anew(self) -> None:
        """Take nothing more of what was read ahead: of a work that has waited for a lock, during
        which others may have changed it."""
        self.held.pop(READ_AHEAD, None)

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
        self.db.change(NEW_JOB, job)
        # What is for later is found by the workers.
        if run_after <= self.now:
            self.after_commit(lambda: self.runtime.doorbell.ring(task.lane))

    def emit(self, event: Any) -> None:
        """Tell the subscribers of the event's class, here and now, in this transaction. What one
        of them raises aborts it. An event carries its work."""
        self.runtime.notify(event)
        counted = self.runtime.metrics.events.labels(type(event).__name__)
        self.after_commit(counted.inc)

    def hold(self, name: str) -> None:
        """A lock that has a name and no row, until the commit; waits for whoever holds it. `name`
        says whose it is, such as ``leaderboard.publish``."""
        self.db.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))

    def try_to_hold(self, name: str) -> bool:
        """As `hold`, but False instead of waiting while another transaction holds it."""
        held = func.pg_try_advisory_xact_lock(func.hashtextextended(name, 0))
        return bool(self.db.scalar(select(held)))

    @contextmanager
    def over_sets(self) -> Iterator[None]:
        """Context: a statement inside is over all rows of an exam or of everything, and takes time
        in proportion to them. PostgreSQL may know nothing of them yet: an exam's come all at once,
        after the last ANALYZE. It then expects one, and would read a table again for each
        (docs/decisions/0014-when-the-database-is-away.md)."""
        self._set_locally(OVER_SETS)
        yield
        # Not after an error: they are gone with the transaction.
        self._set_locally(dict.fromkeys(OVER_SETS))

    def _set_locally(self, values: Mapping[str, str | None]) -> None:
        """None is what the connection came with."""
        self.db.execute(
            select(*(func.set_config(name, value, True) for name, value in values.items()))
        )

    def read_from_standby(self) -> None:
        """Read from the standby from here on, if there is one that has all that the actor has to
        see. Nothing can be changed there."""
        standby = self.runtime.standby
        user_id = self.actor.user_id if self.actor else None
        if standby is not None and standby.is_good_for(user_id):
            self.db = standby.database.session(self.manager)
            self.is_on_standby = True
            self.runtime.metrics.standby_reads.inc()

    def show_at_once(self, user_id: UUID | None = None) -> None:
        """Have this user, or everybody, see what this transaction commits, in what may be read from
        a standby, too: until that has it they read from the primary."""
        standby = self.runtime.standby
        if standby is not None:
            # Pushes leave with the commit.
            self.manager.get().addBeforeCommitHook(standby.note_change, (user_id,))
            self.after_commit(lambda: standby.note_change(user_id))

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
