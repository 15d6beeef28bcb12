"""The database: two engines, and the two kinds of session that a unit of work can have.

A unit of work that may change something has a session on the engine for changes, and runs in one
transaction. A unit of work that only reads has a `ReadingSession`: each statement is committed
separately, and PostgreSQL rejects any change and any row lock
(docs/decisions/0025-two-sessions.md).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

import psycopg
import zope.sqlalchemy
from sqlalchemy import (
    ARRAY,
    URL,
    BindParameter,
    ColumnElement,
    Connection,
    DateTime,
    Engine,
    ExceptionContext,
    MetaData,
    String,
    Uuid,
    create_engine,
    event,
    func,
    literal,
    literal_column,
    make_url,
    select,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Session
from transaction import TransactionManager

from competition.core.database_errors import READ_ONLY, STALE_PLAN
from competition.core.monitoring.readiness import readiness_check
from competition.core.settings import is_on_this_machine, setting

# Migrations name constraints by these patterns, and error messages contain the names.
NAMING_CONVENTION = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

ALIVE = text("select 1")

# The type of an array of ids. An array is one parameter, so a statement has the same text for any
# number of ids.
UUIDS = ARRAY(Uuid())

# The LIMIT of a subquery that finds one row, as a literal. If it were a parameter, PostgreSQL would
# expect a tenth of the rows. The generic plan would then seem so expensive that PostgreSQL would
# plan the statement again for each request.
ONE_ROW: ColumnElement[int] = literal_column("1")

# How long to wait for a connection to each host in the URL, in seconds.
CONNECT_TIMEOUT = 5
# How long a pooled connection is used before it is replaced, in seconds.
POOL_RECYCLE = 1800
# With these parameters, libpq detects a host that has vanished without closing the connection. It
# probes after `keepalives_idle` seconds of silence, and data may stay unacknowledged for
# `tcp_user_timeout` milliseconds.
NETWORK = {
    "connect_timeout": CONNECT_TIMEOUT,
    "keepalives": 1,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
# How long a transaction may be idle, in milliseconds. PostgreSQL then closes its connection, so
# that a stuck process can't hold locks forever.
IDLE_IN_TRANSACTION = 120_000
# No prepared statements: a pooler may use another connection, on which they don't exist.
POOLED = {"prepare_threshold": None}

# Settings of PostgreSQL for statements over many rows: only hash joins, with enough memory for
# them, because few of these statements run at the same time. The last setting says that all rows of
# a cursor will be fetched. By default, PostgreSQL expects that only a tenth of them will be.
OVER_SETS = {
    "enable_nestloop": "off",
    "enable_mergejoin": "off",
    "work_mem": "64MB",
    "cursor_tuple_fraction": "1",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING_CONVENTION)
    type_annotation_map: ClassVar[dict[Any, Any]] = {datetime: DateTime(timezone=True)}


class SearchKey(String):
    """The type of a column with a search key: the result of the database function `search_key` for
    the texts of other columns."""


def modules_of_tables() -> dict[str, str]:
    """The module that declares each table, by the table's name."""
    return {
        str(mapper.local_table.name): mapper.class_.__module__  # type: ignore[attr-defined]  # it is a Table
        for mapper in Base.registry.mappers
    }


@dataclass(frozen=True, kw_only=True)
class DatabaseSettings:
    """The connections to PostgreSQL.

    `url` has SQLAlchemy's form, or is ``embedded`` for the PostgreSQL that comes with the package.
    If it is the URL of a pooler that may use another connection for each transaction, `direct_url`
    is the URL of PostgreSQL itself. `reading_url` is then the URL of a second entry of the pooler,
    whose connections have ``default_transaction_read_only`` on
    (docs/decisions/0030-past-one-machine.md).

    Each process has two pools of connections, one for work that only reads and one for work that
    may change something. `pool_size` applies to each of them. Times are in seconds. If no
    connection of the pool becomes free within `pool_timeout`, the work fails. A statement that runs
    longer than `statement_timeout`, or waits longer than `lock_timeout` for a lock, fails instead
    of occupying a server thread. For these two, 0 means no limit.
    """

    prefix: ClassVar[str] = "competition.database"
    url: str = setting()
    direct_url: str = setting("")
    reading_url: str = setting("")
    pool_size: int = setting(16, minimum=1)
    pool_timeout: float = setting(10.0, minimum=0)
    statement_timeout: float = setting(30.0, minimum=0)
    lock_timeout: float = setting(10.0, minimum=0)

    def risks(self) -> Iterator[str]:
        urls = {
            "url": self.url,
            "direct_url": self.direct_url,
            "reading_url": self.reading_url,
        }
        for name in (each for each in urls if "://" in urls[each]):
            url = make_url(urls[name])
            is_elsewhere = not all(map(is_on_this_machine, _hosts(url)))
            if is_elsewhere and url.query.get("sslmode") != "verify-full":
                yield f"{name}: without sslmode=verify-full, PostgreSQL's identity is not checked"
        if self.direct_url and not self.reading_url:
            yield (
                "reading_url: missing although direct_url is set, so PostgreSQL does not reject"
                " changes in requests that may only read"
            )


SETTINGS = DatabaseSettings


def _hosts(url: URL) -> Iterator[str]:
    """The hosts of a URL, without their ports. The query of the URL may list several hosts,
    separated by commas or as several values."""
    values = url.query.get("host", ())
    for listed in (url.host or "", *((values,) if isinstance(values, str) else values)):
        for host in listed.split(","):
            # The port follows a name, an IPv4 address, or an IPv6 address in brackets.
            yield re.sub(r"(?<=[\w\]]):\d+$", "", host).strip("[]")


class ChangedWhileReading(Exception):
    """A unit of work that may only read has added, changed or deleted an object.

    A GET that changes something must declare ``transaction=True``.
    """


class NoTransaction(Exception):
    """Something that only works in a transaction, such as a lock or a job, was used in a unit of
    work that may only read.

    A GET that needs a transaction must declare ``transaction=True``.
    """


class ReadingSession(Session):
    """A session in which nothing may change. Each statement is committed separately."""

    def check_unchanged(self) -> None:
        """Raise ChangedWhileReading if an object was added, changed or deleted. Otherwise that
        change would be lost silently, because the session never flushes."""
        changed = [*self.new, *self.dirty, *self.deleted]
        if changed:
            names = ", ".join(sorted({type(each).__name__ for each in changed}))
            raise ChangedWhileReading(
                f"This endpoint may only read, but has changed {names}. To change the database,"
                " declare it with transaction=True."
            )


class SnapshotSession(ReadingSession):
    """A session that reads one snapshot of the database, in one transaction."""


@event.listens_for(ReadingSession, "before_flush")
def _reject_flush(session: ReadingSession, *_: Any) -> None:
    session.check_unchanged()


def check_transaction(session: Session) -> None:
    """Raise NoTransaction if the session only reads."""
    if isinstance(session, ReadingSession):
        raise NoTransaction(
            "This endpoint may only read. To use locks or jobs, declare it with transaction=True."
        )


def uuids(ids: Iterable[UUID]) -> BindParameter[Any]:
    """The ids as one parameter of a statement, an array, for `any_` or `func.unnest`."""
    return literal([*ids], UUIDS)


@contextmanager
def over_sets(session: Session) -> Iterator[None]:
    """Context manager for a statement over all rows of an exam, or of a whole table.

    PostgreSQL may have no statistics on these rows, because an exam's rows are often newer than the
    last ANALYZE. It would then expect a single row, and scan another table once for each actual row
    (docs/decisions/0014-when-the-database-is-away.md). Inside this context, it uses only hash
    joins, which take time in proportion to the number of rows.

    Raises NoTransaction if the session only reads, unless it reads a snapshot.
    """
    if not isinstance(session, SnapshotSession):
        check_transaction(session)
    _set_locally(session, OVER_SETS)
    yield
    # Reset the settings. After an error this is not needed: they end with the transaction.
    _set_locally(session, dict.fromkeys(OVER_SETS))


def _set_locally(session: Session, values: Mapping[str, str | None]) -> None:
    """Change settings of PostgreSQL until the end of the transaction. None restores the value that
    the connection started with."""
    session.execute(select(*(func.set_config(name, value, True) for name, value in values.items())))


class Database:
    """Opens sessions, on one engine for changes and one for reading.

    Tests pass one connection, inside a transaction, instead of both engines.
    """

    def __init__(self, changing: Engine | Connection, reading: Engine | Connection) -> None:
        self.changing = changing
        self.reading = reading

    @classmethod
    def connect(cls, settings: DatabaseSettings, url: str) -> "Database":
        changing = _engine(settings, url)
        event.listen(changing, "handle_error", _discard_demoted)
        reading = _engine(
            settings,
            settings.reading_url or url,
            isolation_level="AUTOCOMMIT",
            # There is nothing to roll back, and a ROLLBACK would make psycopg drop its prepared
            # statements.
            skip_autocommit_rollback=True,
        )
        if not settings.direct_url:
            # A statement, and not a connection option. With the option, and with
            # `target_session_attrs=read-write` in the URL, libpq would take the server for a
            # standby.
            _execute_at_connect(reading, "set default_transaction_read_only = on")
        return cls(changing, reading)

    def session(self, manager: TransactionManager) -> Session:
        """A session that takes part in the transaction of `manager`, which commits it or rolls it
        back."""
        session = Session(
            self.changing, expire_on_commit=False, join_transaction_mode="create_savepoint"
        )
        # The session joins the transaction now, and as changed. `register` would instead add seven
        # listeners to each session, to notice its first statement and its first change.
        zope.sqlalchemy.mark_changed(session, transaction_manager=manager)
        return session

    def reading_session(self) -> ReadingSession:
        """A session that only reads; the caller closes it."""
        return ReadingSession(
            self.reading, expire_on_commit=False, join_transaction_mode="create_savepoint"
        )

    def snapshot_session(self) -> SnapshotSession:
        """A session that reads one snapshot, however many statements it executes and however long
        they take; the caller closes it."""
        reading = self.reading.execution_options(isolation_level="REPEATABLE READ")
        return SnapshotSession(reading, expire_on_commit=False)

    @property
    def engines(self) -> tuple[Engine, Engine]:
        return self.changing.engine, self.reading.engine

    def dispose(self) -> None:
        for engine in self.engines:
            engine.dispose()


def _engine(settings: DatabaseSettings, url: str, **options: Any) -> Engine:
    engine = create_engine(
        url,
        pool_size=settings.pool_size,
        # A pool opens no connections beyond its size, because operators plan with this number. And
        # a connection that is closed after each use costs more than the wait for a pooled one.
        max_overflow=0,
        pool_timeout=settings.pool_timeout,
        pool_recycle=POOL_RECYCLE,
        # Errors are logged, and parameters may be secret.
        hide_parameters=True,
        connect_args=_arguments(settings),
        **options,
    )
    if settings.direct_url:
        # A pooler restores this time zone on every connection that it uses for the client.
        _execute_at_connect(engine, "set time zone 'UTC'")
    event.listen(engine, "handle_error", _discard_stale)
    event.listen(engine, "handle_error", _hide_row)
    return engine


def _arguments(settings: DatabaseSettings) -> dict[str, Any]:
    if settings.direct_url:
        # A pooler accepts no options from clients. Operators configure the pooler to set them when
        # it connects to PostgreSQL.
        return NETWORK | POOLED
    options = {
        "timezone": "UTC",
        # In whole milliseconds, as PostgreSQL takes them.
        "statement_timeout": round(settings.statement_timeout * 1000),
        "lock_timeout": round(settings.lock_timeout * 1000),
        "idle_in_transaction_session_timeout": IDLE_IN_TRANSACTION,
        # Compiling a query (JIT) takes longer than a web service's queries run.
        "jit": "off",
    }
    return NETWORK | {"options": " ".join(f"-c {name}={value}" for name, value in options.items())}


def _execute_at_connect(engine: Engine, statement: str) -> None:
    @event.listens_for(engine, "connect")
    def execute(connection: psycopg.Connection[Any], _: Any) -> None:
        connection.execute(statement)
        connection.commit()


def _discard_stale(context: ExceptionContext) -> None:
    """Discard connections whose prepared statements are from before a migration."""
    error = context.original_exception
    if getattr(error, "sqlstate", None) == STALE_PLAN and "cached plan" in str(error):
        context.is_disconnect = True


def _discard_demoted(context: ExceptionContext) -> None:
    """Discard a connection for changes if its server has become read-only."""
    if getattr(context.original_exception, "sqlstate", None) == READ_ONLY:
        context.is_disconnect = True


def _hide_row(context: ExceptionContext) -> None:
    """Cut the message of an error to its first line, because the lines below it, PostgreSQL's
    details, quote the row."""
    error = context.original_exception
    message = str(error).partition("\n")[0]
    error.args = (message,)
    if context.sqlalchemy_exception is not None:
        context.sqlalchemy_exception.args = (f"({type(error).__name__}) {message}",)


@readiness_check("database")
def check(work: Any) -> None:
    """Readiness check: query the database. Raises an error of SQLAlchemy if it does not answer."""
    work.db.execute(ALIVE)
