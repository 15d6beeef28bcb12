"""Statements that a process keeps, ready to be sent.

SQLAlchemy compiles each once and says what its values and columns are; from then on psycopg is
asked directly, which takes half as long (docs/decisions/0035-one-statement.md).
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from datetime import timedelta
from typing import Any, TypeVar, cast

import psycopg
from sqlalchemy import BindParameter, Connection, Dialect, Engine, Executable, Insert, Row
from sqlalchemy.dialects.postgresql.psycopg import PGCompiler_psycopg
from sqlalchemy.engine import result_tuple
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import TypeEngine

from competition.core.connections import Cursor, Pool, begin

K = TypeVar("K")
MakeRow = Callable[[Sequence[Any]], Row[Any]]

# The kinds of values that are written into the text of a statement.
WRITTEN = (int, str, timedelta)
# In the `info` of a connection of the pool: a cursor costs as much as what it asks.
CURSOR = "competition.cursor"


class NumberedCursor(psycopg.RawCursor[Any], Cursor):
    """For parameters that are $1, $2, …."""


class Prepared:
    """`statement` for the database of `dialect`; of a table it sets these `columns`, besides those
    that it has values for. Raises ValueError for one whose text follows from its values, such as an
    IN over a list: ``= any(…)`` takes one as it is; and for one that SQLAlchemy fills in, such as
    with a column's default."""

    def __init__(
        self, statement: Executable, dialect: Dialect, columns: Sequence[str] = ()
    ) -> None:
        if isinstance(statement, Insert) and not statement.exported_columns:
            # Else it would return the key, for the unit of work.
            statement = statement.inline()
        compiled: Any = statement.compile(  # type: ignore[attr-defined]  # all are ClauseElements
            dialect=_numbering(dialect), column_keys=[*columns] or None
        )
        if not isinstance(compiled, SQLCompiler) or compiled.post_compile_params:
            raise ValueError(f"can not be prepared: {compiled}")
        if compiled.insert_prefetch or compiled.update_prefetch:
            raise ValueError(f"has columns that SQLAlchemy fills in: {compiled}")
        self.text = str(compiled)
        self._dialect = dialect
        # Of each $1, $2, ….
        self._names = compiled.positiontup or []
        binds = {name: bind for bind, name in compiled.bind_names.items()}
        self._required = {name for name, bind in binds.items() if bind.required}
        self._defaults = dict(compiled.params)
        self._pack = _each(
            {name: _of(bind.type, dialect).bind_processor(dialect) for name, bind in binds.items()}
        )
        self._types = [column.type for column in getattr(statement, "exported_columns", ())]
        self._make: MakeRow | None = None
        self._unpack: dict[int, Callable[[Any], Any]] = {}

    def ask(self, engine: Engine, values: Mapping[str, Any]) -> Sequence[Row[Any]]:
        """All rows. Nothing is begun for it: PostgreSQL commits it by itself. Raises DBAPIError,
        TimeoutError, as SQLAlchemy does."""
        parameters = self._parameters(values)
        pool = cast(Pool, engine.pool)
        try:
            lent = pool.lend()
        except psycopg.Error as error:
            raise self._wrapped(error, is_lost=True) from error
        connection: Any = lent.driver_connection
        try:
            return self._asked(lent.info, connection, parameters)
        except psycopg.Error as error:
            is_lost = connection.closed
            if is_lost:
                lent.invalidate(error)
            raise self._wrapped(error, is_lost) from error
        except BaseException as error:
            lent.invalidate(error)
            raise
        finally:
            pool.back(lent)

    def ask_within(
        self, connection: Connection, values: Mapping[str, Any], *, begins: bool = False
    ) -> Sequence[Row[Any]]:
        """All rows, in the connection's transaction, if it has one; unless it `begins` it. Raises
        DBAPIError."""
        parameters = self._parameters(values)
        driver: Any = connection.connection.driver_connection
        try:
            if begins:
                begin(driver)
            return self._asked(connection.info, driver, parameters)
        except psycopg.Error as error:
            is_lost = driver.closed
            if is_lost:
                connection.invalidate(error)
            raise self._wrapped(error, is_lost) from error
        except BaseException as error:
            connection.invalidate(error)
            raise

    def _asked(
        self, info: dict[Any, Any], connection: Any, parameters: Sequence[Any]
    ) -> Sequence[Row[Any]]:
        cursor = info.get(CURSOR)
        if cursor is None:
            cursor = info[CURSOR] = NumberedCursor(connection)
        cursor.execute(self.text, parameters)
        return self._rows(cursor)

    def _parameters(self, values: Mapping[str, Any]) -> list[Any]:
        if missing := self._required - values.keys():
            raise KeyError(f"{', '.join(sorted(missing))} is no value of {self.text}")
        parameters = {**self._defaults, **values}
        for name, pack in self._pack.items():
            parameters[name] = pack(parameters[name])
        return [parameters[name] for name in self._names]

    def _rows(self, cursor: Any) -> Sequence[Row[Any]]:
        if not cursor.pgresult.nfields:
            return []
        make = self._make or self._described(cursor.description)
        found = cursor.fetchall()
        if self._unpack:
            found = map(self._unpacked, found)
        return [*map(make, found)]

    def _described(self, columns: Sequence[Any]) -> MakeRow:
        types = self._types or [None] * len(columns)
        self._unpack = _each(
            {
                at: kind and _of(kind, self._dialect).result_processor(self._dialect, column[1])
                for at, (kind, column) in enumerate(zip(types, columns, strict=True))
            }
        )
        self._make = result_tuple([column[0] for column in columns])
        return self._make

    def _unpacked(self, row: Sequence[Any]) -> Sequence[Any]:
        values = list(row)
        for at, unpack in self._unpack.items():
            values[at] = unpack(values[at])
        return values

    def _wrapped(self, error: psycopg.Error, is_lost: bool) -> DBAPIError:
        wrapped = DBAPIError.instance(
            *(self.text, None, error, psycopg.Error),
            hide_parameters=True,
            connection_invalidated=is_lost,
            dialect=self._dialect,
        )
        assert isinstance(wrapped, DBAPIError)
        hide_row(error, wrapped)
        return wrapped


def hide_row(error: BaseException, wrapped: BaseException | None) -> None:
    """Cut a message of PostgreSQL to its first line before it is logged: the detail below quotes
    the row."""
    message = str(error).partition("\n")[0]
    error.args = (message,)
    if wrapped is not None:
        wrapped.args = (f"({type(error).__name__}) {message}",)


class Compiler(PGCompiler_psycopg):
    """Writes the values that a statement was built with into its text: they are the same each time,
    and psycopg takes a microsecond for each that it sends."""

    def visit_bindparam(self, bindparam: BindParameter[Any], *args: Any, **options: Any) -> Any:
        visit: Any = super().visit_bindparam
        typed: Any = self.render_bind_cast
        # Those with a name of their own may be given another value.
        if not bindparam.unique or not isinstance(bindparam.value, WRITTEN):
            return visit(bindparam, *args, **options)
        kind: Any = bindparam.type.dialect_impl(self.dialect)
        text = visit(bindparam, *args, **{**options, "literal_binds": True})
        # As a parameter would be.
        return typed(kind, kind, text) if kind.render_bind_cast else text


def _numbering(dialect: Dialect) -> Dialect:
    """One whose parameters are $1, $2, …, as PostgreSQL has them: psycopg has nothing to parse,
    which it does anew with each execution of a text of more than 4096 characters."""
    numbering: Any = copy(dialect)
    numbering.paramstyle, numbering.positional = "numeric_dollar", True
    numbering.statement_compiler = Compiler
    # Which doubles no percent sign.
    numbering.identifier_preparer = numbering.preparer(numbering)
    return cast(Dialect, numbering)


def _of(kind: TypeEngine[Any], dialect: Dialect) -> TypeEngine[Any]:
    return kind.dialect_impl(dialect)


def _each(functions: Mapping[K, Callable[[Any], Any] | None]) -> dict[K, Callable[[Any], Any]]:
    """Those that there are: most values are taken as they are."""
    return {key: function for key, function in functions.items() if function is not None}
