"""The database: one engine a process, one session a unit of work.

What only reads pays for its statements and nothing else (docs/decisions/0025-speed.md):
a transaction begins with the first statement that changes or locks something, and a connection from
the pool is looked at, not asked whether it still lives.
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, ClassVar

import psycopg
from pyramid.config import Configurator
from sqlalchemy import (
    Connection,
    DateTime,
    Engine,
    ExceptionContext,
    Executable,
    MetaData,
    Row,
    Table,
    create_engine,
    event,
    make_url,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Session
from transaction import TransactionManager
from zope.sqlalchemy.datamanager import STATUS_CHANGED, join_transaction

from competition.core.connections import Cursor, Pool, begin
from competition.core.prepared import Prepared, hide_row
from competition.core.settings import is_on_this_machine, setting

# What a migration calls a constraint is what an error names.
NAMING_CONVENTION = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

# A statement with one of these words may change or lock something; what else begins so, reads.
READS = re.compile(r"\s*(select|with)\b", re.IGNORECASE)
CHANGES = re.compile(
    r"\b(insert|update|delete|merge|into|share|nextval|setval|set_config|pg_\w+|lo_\w+|dblink\w*)\b",
    re.IGNORECASE,
)
# Execution options of a statement that changes something, where it is all that the work changes: no
# transaction is begun for it, PostgreSQL commits it by itself, at once. What the work does later
# and fails at does not undo it.
ALONE = {"alone": True}
# Of one that is to read: a transaction that it began nobody would commit.
READS_ONLY = {"reads_only": True}
ALIVE = text("select 1")
# Far more than there are.
MOST_PREPARED = 2000
# For each host that the URL names.
CONNECT_TIMEOUT = 5
# A statement that was prepared on one connection is not known on the next; and a pooler takes no
# options: it sets the limits itself, when it connects.
POOLED = {"prepare_threshold": None}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING_CONVENTION)
    type_annotation_map: ClassVar[dict[Any, Any]] = {datetime: DateTime(timezone=True)}


@event.listens_for(Table, "after_parent_attach")
def _remember_module(table: Table, metadata: MetaData) -> None:
    """Write into ``table.info["module"]`` where a table is declared, which says whose it is."""
    if metadata is not Base.metadata:
        return
    # Between here and the declaration there is only SQLAlchemy.
    frame = sys._getframe(1)
    while frame.f_back and frame.f_globals["__name__"].startswith("sqlalchemy."):
        frame = frame.f_back
    table.info.setdefault("module", frame.f_globals["__name__"])


@dataclass(frozen=True, kw_only=True)
class DatabaseSettings:
    """`url` in SQLAlchemy's form; ``embedded`` is the PostgreSQL that the package brings.

    With a `direct_url`, that of PostgreSQL itself, `url` is that of a pooler which may give each
    transaction another connection (docs/decisions/0030-past-one-machine.md). At `standby_url` reads
    happen that may be old, while it is no more than `standby_lag` behind.

    Times are in seconds. A statement over `statement_timeout` and a lock wait over `lock_timeout`
    fail instead of holding a server thread; 0 switches a limit off.
    """

    prefix: ClassVar[str] = "competition.database"
    url: str = setting()
    direct_url: str = setting("")
    standby_url: str = setting("")
    standby_lag: float = setting(1.0, minimum=0.5)
    pool_size: int = setting(16, minimum=1)
    max_overflow: int = setting(0, minimum=0)
    pool_timeout: float = setting(10.0, minimum=0)
    statement_timeout: float = setting(30.0, minimum=0)
    lock_timeout: float = setting(10.0, minimum=0)

    def risks(self) -> Iterator[str]:
        urls = {"url": self.url, "direct_url": self.direct_url}
        for name in (each for each in urls if "://" in urls[each]):
            url = make_url(urls[name])
            host = url.host or str(url.query.get("host", ""))
            if not is_on_this_machine(host) and url.query.get("sslmode") != "verify-full":
                yield f"{name}: PostgreSQL need not prove who it is, without sslmode=verify-full"


SETTINGS = DatabaseSettings


class JoinedSession(Session):
    """Joins the transaction of its `manager` as soon as it has something to do."""

    manager: TransactionManager
    database: "Database"

    def read(self, statement: Executable, values: Mapping[str, Any]) -> Sequence[Row[Any]]:
        """All rows of a statement of tables, not classes, which only reads. As long as the session
        has done nothing, it does nothing for that either: to begin and to end what it calls a
        transaction costs as much as a statement. The process keeps the statement, which is no
        other than before. Raises ValueError for one that may change or lock something."""
        return self._asked(statement, values, READS_ONLY)

    def change(self, statement: Executable, values: Mapping[str, Any]) -> Sequence[Row[Any]]:
        """As `read`, of a statement that changes something, in the transaction. An INSERT or UPDATE
        of a table sets the columns that `values` name, besides those that it has values for; of
        defaults PostgreSQL's alone."""
        # What it is about comes first.
        self.flush()
        connection = self.connection()
        if connection.dispatch.before_cursor_execute:
            result = connection.execute(statement, values)
            return result.all() if result.returns_rows else []
        prepared = self.database.prepared(statement, tuple(values))
        return prepared.ask_within(connection, values, begins=True)

    def alone(self, statement: Executable, values: Mapping[str, Any]) -> Sequence[Row[Any]]:
        """As `read`, of a statement that changes something, and is all that the work changes:
        PostgreSQL commits it by itself, at once, and what the work fails at later does not undo
        it. After something else it is part of the transaction."""
        return self._asked(statement, values, ALONE)

    @property
    def _unused(self) -> Engine | None:
        """The engine, while there is no transaction to be part of."""
        return self.bind if isinstance(self.bind, Engine) and not self.in_transaction() else None

    def _asked(
        self, statement: Executable, values: Mapping[str, Any], options: Mapping[str, Any]
    ) -> Sequence[Row[Any]]:
        engine = self._unused
        target = engine or self.connection()
        # Whoever wants to hear of statements hears of those that SQLAlchemy sends.
        if target.dispatch.before_cursor_execute:
            return self._executed(statement, values, options)
        prepared = self.database.prepared(statement)
        if options is READS_ONLY:
            _check_reads(prepared.text)
        if isinstance(target, Engine):
            return prepared.ask(target, values)
        return prepared.ask_within(target, values)

    def _executed(
        self, statement: Executable, values: Mapping[str, Any], options: Mapping[str, Any]
    ) -> Sequence[Row[Any]]:
        engine = self._unused
        if engine is None:
            return self.execute(statement, values, execution_options=options).all()
        with engine.connect() as connection:
            return connection.execute(statement, values, execution_options=options).all()


# Once for all: zope.sqlalchemy.register(), for each session, costs as much as a statement.
@event.listens_for(JoinedSession, "after_begin")
@event.listens_for(JoinedSession, "after_attach")
def _join(session: JoinedSession, *_: Any) -> None:
    # Changed from the start: a session that only ran Core statements commits too.
    join_transaction(session, STATUS_CHANGED, session.manager)


class Database:
    """Opens sessions that are joined to a transaction manager.

    `bind` is the engine; tests put one connection there, with a transaction around everything.
    """

    def __init__(self, bind: Engine | Connection) -> None:
        self.bind = bind
        self.prepared = lru_cache(maxsize=MOST_PREPARED)(self._prepared)

    def _prepared(self, statement: Executable, columns: tuple[str, ...] = ()) -> Prepared:
        return Prepared(statement, self.bind.dialect, columns)

    @classmethod
    def connect(
        cls, settings: DatabaseSettings, url: str, *, read_only: bool = False
    ) -> "Database":
        is_pooled = bool(settings.direct_url)
        engine = create_engine(
            url,
            poolclass=Pool,
            pool_size=settings.pool_size,
            max_overflow=settings.max_overflow,
            pool_timeout=settings.pool_timeout,
            # Until a transaction begins: see _begin_to_change.
            isolation_level="AUTOCOMMIT",
            # By _end_transaction, where there is one.
            pool_reset_on_return=None,
            # Errors are logged, and a log holds no secret.
            hide_parameters=True,
            connect_args={
                "connect_timeout": CONNECT_TIMEOUT,
                "cursor_factory": Cursor,
                **(POOLED if is_pooled else {"options": _options(settings, read_only)}),
            },
        )
        if is_pooled:
            event.listen(engine, "connect", _set_time_zone)
        event.listen(engine, "handle_error", _hide_row)
        event.listen(engine, "do_execute", _begin_to_change)
        event.listen(engine, "do_executemany", _begin_to_change)
        event.listen(engine, "reset", _end_transaction)
        return cls(engine)

    def session(self, manager: TransactionManager) -> JoinedSession:
        session = JoinedSession(
            self.bind, expire_on_commit=False, join_transaction_mode="create_savepoint"
        )
        session.manager = manager
        session.database = self
        return session

    def dispose(self) -> None:
        if isinstance(self.bind, Engine):
            self.bind.dispose()


def _options(settings: DatabaseSettings, read_only: bool) -> str:
    return (
        "-c timezone=UTC"
        f" -c default_transaction_read_only={'on' if read_only else 'off'}"
        f" -c statement_timeout={round(settings.statement_timeout * 1000)}"
        f" -c lock_timeout={round(settings.lock_timeout * 1000)}"
    )


def _set_time_zone(connection: psycopg.Connection[Any], _: Any) -> None:
    """Poolers keep it for each client, whichever connection it is given."""
    connection.execute("set time zone 'UTC'")


def _begin_to_change(cursor: Any, statement: str, _: Any, context: Any) -> None:
    """Begin the transaction that a session believes it is in, once there is something to commit or
    to hold. At READ COMMITTED each statement sees what is committed by then, in a transaction or
    not: for those before it nothing changes."""
    if _only_reads(statement) and not isinstance(cursor, psycopg.ServerCursor):
        return
    options = context.execution_options if context else {}
    if "reads_only" in options:
        _check_reads(statement)
    if "alone" not in options:
        begin(cursor.connection)


def _check_reads(statement: str) -> None:
    """Raises ValueError."""
    if not _only_reads(statement):
        raise ValueError(f"is to read, and may change or lock something: {statement}")


@lru_cache(maxsize=5000)
def _only_reads(statement: str) -> bool:
    return READS.match(statement) is not None and CHANGES.search(statement) is None


def _end_transaction(connection: psycopg.Connection[Any], *_: Any) -> None:
    if connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
        connection.rollback()


def _hide_row(context: ExceptionContext) -> None:
    hide_row(context.original_exception, context.sqlalchemy_exception)


def check(work: Any) -> None:
    """Readiness check: whether the database answers."""
    work.db.read(ALIVE, {})


def includeme(config: Configurator) -> None:
    config.add_check("database", check)
