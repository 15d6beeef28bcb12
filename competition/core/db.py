"""The database: one engine a process, one session a unit of work."""

import sys
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

import zope.sqlalchemy
from pyramid.config import Configurator
from sqlalchemy import (
    Connection,
    DateTime,
    Engine,
    ExceptionContext,
    MetaData,
    Table,
    create_engine,
    event,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Session
from transaction import TransactionManager
from zope.sqlalchemy.datamanager import STATUS_CHANGED

from competition.core.settings import setting

# What a migration calls a constraint is what an error names.
NAMING_CONVENTION = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


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

    Times are in seconds. A statement over `statement_timeout` and a lock wait over `lock_timeout`
    fail instead of holding a server thread; 0 switches a limit off.
    """

    prefix: ClassVar[str] = "competition.database"
    url: str = setting()
    pool_size: int = setting(5, minimum=1)
    max_overflow: int = setting(10, minimum=0)
    pool_timeout: float = setting(10.0, minimum=0)
    statement_timeout: float = setting(30.0, minimum=0)
    lock_timeout: float = setting(10.0, minimum=0)


SETTINGS = DatabaseSettings


class Database:
    """Opens sessions that are joined to a transaction manager.

    `bind` is the engine; tests put one connection there, with a transaction around everything.
    """

    def __init__(self, bind: Engine | Connection) -> None:
        self.bind = bind

    @classmethod
    def connect(cls, settings: DatabaseSettings, url: str) -> "Database":
        options = (
            "-c timezone=UTC"
            f" -c statement_timeout={round(settings.statement_timeout * 1000)}"
            f" -c lock_timeout={round(settings.lock_timeout * 1000)}"
        )
        engine = create_engine(
            url,
            pool_size=settings.pool_size,
            max_overflow=settings.max_overflow,
            pool_timeout=settings.pool_timeout,
            pool_pre_ping=True,
            # Errors are logged, and a log holds no secret.
            hide_parameters=True,
            connect_args={"options": options, "connect_timeout": 5},
        )
        event.listen(engine, "handle_error", _hide_row)
        return cls(engine)

    def session(self, manager: TransactionManager) -> Session:
        session = Session(
            self.bind, expire_on_commit=False, join_transaction_mode="create_savepoint"
        )
        # Changed from the start: a session that only ran Core statements commits too.
        zope.sqlalchemy.register(session, initial_state=STATUS_CHANGED, transaction_manager=manager)
        return session

    def dispose(self) -> None:
        if isinstance(self.bind, Engine):
            self.bind.dispose()


def _hide_row(context: ExceptionContext) -> None:
    """Cut a message of PostgreSQL to its first line before it is logged: the detail below quotes
    the row."""
    error, wrapped = context.original_exception, context.sqlalchemy_exception
    message = str(error).partition("\n")[0]
    error.args = (message,)
    if wrapped is not None:
        wrapped.args = (f"({type(error).__name__}) {message}",)


def check(work: Any) -> None:
    """Readiness check: whether the database answers."""
    work.db.execute(text("select 1"))


def includeme(config: Configurator) -> None:
    config.add_check("database", check)
