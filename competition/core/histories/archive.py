"""Tables as a file of SQL that can be read again, on machines that have no pg_dump.

It has what Alembic's migrations usually make: enumerations, tables with their columns, rows,
sequences, constraints, indexes and comments. Views, triggers and functions are not in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

from psycopg import sql
from sqlalchemy import Connection, text

_COLUMNS = """
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
        a.attnotnull as required, pg_get_expr(d.adbin, d.adrelid) as "default",
        a.attidentity as identity, a.attgenerated as generated,
        pg_get_serial_sequence(quote_ident(:table), a.attname) as sequence
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = to_regclass(quote_ident(:table)) and a.attnum > 0 and not a.attisdropped
    order by a.attnum
"""
# Keys of other tables refer to the unique ones: those come last.
_CONSTRAINTS = """
    select conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where conrelid = to_regclass(quote_ident(:table)) and (contype = 'f') = :foreign_keys
        and contype in ('p', 'u', 'c', 'x', 'f')
    order by contype, conname
"""
_INDEXES = """
    select pg_get_indexdef(i.indexrelid) from pg_index i
    where i.indrelid = to_regclass(quote_ident(:table))
        and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
    order by i.indexrelid
"""
# Of columns, or of arrays in columns.
_ENUMERATIONS = """
    select distinct format_type(e.oid, null) as name,
        (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder)
            from pg_enum where enumtypid = e.oid) as labels,
        exists (
            select from pg_attribute other join pg_type ot on ot.oid = other.atttypid
            where e.oid in (ot.oid, ot.typelem) and not other.attisdropped
                and other.attrelid <> all (cast(:ids as oid[]))
        ) as shared
    from pg_attribute a join pg_type t on t.oid = a.atttypid
        join pg_type e on e.oid in (t.oid, t.typelem) and e.typtype = 'e'
    where a.attrelid = any (cast(:ids as oid[])) and not a.attisdropped
    order by 1
"""


def write(
    connection: Connection,
    tables: Sequence[str],
    others: Mapping[str, str],
    to: IO[bytes],
    header: str,
) -> None:
    """`others` are tables of which only some rows are written, with the condition of these.
    `header` explains the file to whoever finds it."""
    for line in header.splitlines():
        to.write(f"-- {line}".rstrip().encode() + b"\n")
    to.write(b"\nset client_encoding = 'UTF8';\nbegin;\n")
    for statement in _beginning(connection, tables):
        to.write(f"\n{statement};\n".encode())
    for table in tables:
        _write_rows(connection, table, to)
    for table, condition in others.items():
        _write_rows(connection, table, to, condition)
    for statement in _end(connection, tables):
        to.write(f"\n{statement};\n".encode())
    to.write(b"\ncommit;\n")


def own_enumerations(connection: Connection, tables: Sequence[str]) -> list[str]:
    """The enumeration types that only columns of these tables have, as SQL has their names."""
    return [each.name for each in _enumerations(connection, tables) if not each.shared]


def _enumerations(connection: Connection, tables: Sequence[str]) -> Sequence[Any]:
    ids = [
        connection.scalar(text("select to_regclass(quote_ident(:table))::oid"), {"table": table})
        for table in tables
    ]
    return connection.execute(text(_ENUMERATIONS), {"ids": ids}).all()


def _beginning(connection: Connection, tables: Sequence[str]) -> Iterator[str]:
    """The statements that come before the rows."""
    for each in _enumerations(connection, tables):
        # One that others have is not dropped with the tables.
        yield f"{'-- ' if each.shared else ''}create type {each.name} as enum ({each.labels})"
    for table in tables:
        columns = _columns(connection, table)
        for column in columns:
            if column.sequence and not column.identity:
                yield f"create sequence {column.sequence}"
        definitions = ",\n".join(f"    {_column(each)}" for each in columns)
        yield f"create table {_quoted(table)} (\n{definitions}\n)"


def _column(column: Any) -> str:
    parts = [_quoted(column.name), column.type]
    if column.identity:
        when = "always" if column.identity == "a" else "by default"
        parts.append(f"generated {when} as identity")
    elif column.generated:
        parts.append(f"generated always as ({column.default}) stored")
    elif column.default is not None:
        parts.append(f"default {column.default}")
    if column.required:
        parts.append("not null")
    return " ".join(parts)


def _write_rows(connection: Connection, table: str, to: IO[bytes], condition: str = "true") -> None:
    columns = [each.name for each in _columns(connection, table) if not each.generated]
    names = ", ".join(map(_quoted, columns))
    rows = f"select {names} from {_quoted(table)} where {condition}"
    driver: Any = connection.connection.driver_connection
    to.write(f"\ncopy {_quoted(table)} ({names}) from stdin;\n".encode())
    with driver.cursor() as cursor, cursor.copy(f"copy ({rows}) to stdout") as blocks:
        for block in blocks:
            to.write(block)
    to.write(b"\\.\n")


def _end(connection: Connection, tables: Sequence[str]) -> Iterator[str]:
    """The statements that come after the rows."""
    for table in tables:
        for column in _columns(connection, table):
            if column.sequence:
                yield from _sequence(connection, table, column)
    for foreign_keys in (False, True):
        for table in tables:
            values = {"table": table, "foreign_keys": foreign_keys}
            for name, definition in connection.execute(text(_CONSTRAINTS), values):
                yield (f"alter table {_quoted(table)} add constraint {_quoted(name)} {definition}")
    for table in tables:
        yield from connection.scalars(text(_INDEXES), {"table": table})
        comment = connection.scalar(
            text("select obj_description(to_regclass(quote_ident(:table)), 'pg_class')"),
            {"table": table},
        )
        if comment:
            yield f"comment on table {_quoted(table)} is {sql.quote(comment)}"


def _sequence(connection: Connection, table: str, column: Any) -> Iterator[str]:
    # PostgreSQL wrote the name, with what quotes it needs.
    last, is_called = connection.execute(
        text(f"select last_value, is_called from {column.sequence}")
    ).one()
    if column.identity:
        name = f"pg_get_serial_sequence({sql.quote(_quoted(table))}, {sql.quote(column.name)})"
    else:
        name = sql.quote(column.sequence)
        yield f"alter sequence {column.sequence} owned by {_quoted(table)}.{_quoted(column.name)}"
    yield f"select setval({name}, {last}, {str(is_called).lower()})"


def _columns(connection: Connection, table: str) -> Sequence[Any]:
    return connection.execute(text(_COLUMNS), {"table": table}).all()


def _quoted(name: str) -> str:
    return sql.Identifier(name).as_string()
