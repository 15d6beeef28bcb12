"""Taking the tables of a plugin out of a database, whether its package is still there or not; and
what tables of the service have of it: its jobs, mails, switched flags, aggregates, files and
permissions."""

import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO

from psycopg import sql
from sqlalchemy import Connection, inspect, text

from alembic import command
from competition.core.histories import archive
from competition.core.histories.history import (
    History,
    MigrationError,
    explained,
    forget,
    held,
    recorded,
    version_table,
)
from competition.core.histories.migrations import configuration, histories
from competition.core.plugins import RESERVED, Plugin

# A process that still has the plugin on would be waited for.
LOCK_TIMEOUT = "10s"

HEADER = """\
The tables of the plugin {name} ({package}), as they were at {now:%Y-%m-%d %H:%M} UTC, written by
`competition plugin remove {name}` before it dropped them:

{tables}

and its rows of tables of the service, which stay: {others}.

To have them back, run this file on the database with `psql --set ON_ERROR_STOP=1 --file`, and
install the plugin's package again. Its permissions have to be granted again. Of its files only the
rows are here: what was in them is deleted from the storage a day later."""


_GRANTED = 'select count(*) from "user", unnest(permissions) granted where {names}'
_REVOKE = """
    update "user" set permissions = array(
        select granted from unnest(permissions) granted where not {names}
    )
    where exists (select from unnest(permissions) granted where {names})
"""


@dataclass(frozen=True)
class Leftover:
    """What a database has of a plugin; `history` is None when its package is gone. `taken` are its
    rows of tables of the service, and the permissions that staff was granted: how many of each."""

    name: str
    package: str
    tables: tuple[str, ...]
    taken: Mapping[str, int]
    history: History | None

    def rows(self, connection: Connection) -> dict[str, int]:
        """How many rows go: those of its tables, and its own in tables of the service."""
        counted = {table: _count(connection, table) for table in self.tables}
        # Whoever asks the operator holds no lock meanwhile.
        connection.rollback()
        return {**counted, **self.taken}


def _names(plugin: str, column: str) -> str:
    return f"({column} = {sql.quote(plugin)} or starts_with({column}, {sql.quote(f'{plugin}.')}))"


def _conditions(name: str) -> dict[str, str]:
    """Which rows of tables of the service are a plugin's, by what they name. By the tables' names:
    a dump has them, too."""
    sendings = f"select cast(sending as text) from mail where {_names(name, 'template')}"
    return {
        # With those that send its mails.
        "job": f"{_names(name, 'name')} or name = 'core.send_mails' and key in ({sendings})",
        "mail": _names(name, "template"),
        "flag": _names(name, "name"),
        "aggregate": _names(name, "name"),
        "file": f"plugin = {sql.quote(name)}",
    }


def _count(connection: Connection, table: str, condition: str = "true") -> int:
    statement = f"select count(*) from {_quoted(table)} where {condition}"
    return connection.scalar(text(statement)) or 0


def find(
    connection: Connection, name: str, available: Mapping[str, Plugin], on: Collection[str]
) -> Leftover:
    """What there is to remove. Raises MigrationError when it may not be, or there is nothing."""
    if name in on:
        raise MigrationError(
            f"{name} is on: take it out of competition.plugins and restart the service first."
        )
    if name in available and available[name].is_ours:
        raise MigrationError(
            f"{name} is a part of the service, whose tables have one history: it can be switched"
            " off, not removed."
        )
    existing = {*inspect(connection).get_table_names()}
    taken: dict[str, int] = {}
    if name not in RESERVED and re.fullmatch(r"[\w-]+", name):
        conditions = _conditions(name).items()
        counted = {
            table: _count(connection, table, which)
            for table, which in conditions
            if table in existing
        }
        if "user" in existing:
            granted = text(_GRANTED.format(names=_names(name, "granted")))
            counted["granted permission"] = connection.scalar(granted) or 0
        taken = {table: count for table, count in counted.items() if count}
    if version_table(name) not in existing and not taken:
        raise MigrationError(f"There is nothing of a plugin {name!r} in the database.")
    for other in available.values():
        if name in other.requires and version_table(other.name) in existing:
            raise MigrationError(f"{other.name} requires {name}: remove that first.")
    record = recorded(connection, version_table(name))
    found = [each for each in histories(available.values()) if each.plugin == name]
    tables = {*record.tables, *(table for history in found for table in history.tables)}
    connection.rollback()
    return Leftover(
        name,
        record.package or name,
        tuple(sorted(tables & existing)),
        taken,
        next(iter(found), None),
    )


def remove(connection: Connection, found: Leftover, to: IO[bytes]) -> None:
    """Write what there is, then drop it, all in one transaction.

    Raises MigrationError when a migration can't be taken back, and DBAPIError.
    """
    others = _conditions(found.name)
    with held(connection):
        existing = {*inspect(connection).get_table_names()}
        connection.rollback()
        with connection.begin():
            # What is written and what is deleted are the same rows, whatever others do meanwhile.
            connection.execute(text("set transaction isolation level repeatable read"))
            connection.execute(text(f"set local lock_timeout = '{LOCK_TIMEOUT}'"))
            tables = [
                each for each in (*found.tables, version_table(found.name)) if each in existing
            ]
            if tables:
                connection.execute(text(f"lock table {_listed(tables)} in access exclusive mode"))
            header = HEADER.format(
                name=found.name,
                package=found.package,
                now=datetime.now(UTC),
                tables=", ".join(found.tables) or "none",
                others=", ".join(others),
            )
            archive.write(connection, tables, others, to, header)
            to.flush()
            os.fsync(to.fileno())
            _drop(connection, found)
            for table, condition in others.items():
                connection.execute(text(f"delete from {_quoted(table)} where {condition}"))
            connection.execute(text(_REVOKE.format(names=_names(found.name, "granted"))))


def _drop(connection: Connection, found: Leftover) -> None:
    types = archive.own_enumerations(connection, found.tables)
    if found.history is not None:
        _take_back(connection, found.history)
    # What taking the migrations back has left, and all when they are not there.
    if left := {*found.tables} & {*inspect(connection).get_table_names()}:
        connection.execute(text(f"drop table {_listed(sorted(left))}"))
    for each in types:
        connection.execute(text(f"drop type if exists {each}"))
    forget(connection, found.name)


def _take_back(connection: Connection, history: History) -> None:
    try:
        with explained(history):
            command.downgrade(configuration(connection, history), "base")
    except MigrationError as error:
        raise MigrationError(
            f"{error} Without its package installed, {history.name} is removed by dropping its"
            " tables."
        ) from error


def _listed(tables: Collection[str]) -> str:
    return ", ".join(map(_quoted, tables))


def _quoted(name: str) -> str:
    return sql.Identifier(name).as_string()
