"""Taking the tables of a plugin out of a database, whether its package is still there or not."""

import os
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
from competition.core.plugins import Plugin

# A process that still has the plugin on would be waited for.
LOCK_TIMEOUT = "10s"

HEADER = """\
The tables of the plugin {name} ({package}), as they were at {now:%Y-%m-%d %H:%M} UTC, written by
`competition plugin remove {name}` before it dropped them:

{tables}

To have them back, run this file on the database with `psql --set ON_ERROR_STOP=1 --file`, and
install the plugin's package again."""


@dataclass(frozen=True)
class Leftover:
    """What a database has of a plugin; `history` is None when its package is gone."""

    name: str
    package: str
    tables: tuple[str, ...]
    history: History | None

    def rows(self, connection: Connection) -> dict[str, int]:
        counted = {
            table: connection.scalar(text(f"select count(*) from {_quoted(table)}")) or 0
            for table in self.tables
        }
        # Whoever asks the operator holds no lock meanwhile.
        connection.rollback()
        return counted


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
    if version_table(name) not in existing:
        raise MigrationError(f"There is nothing of a plugin {name!r} in the database.")
    for other in available.values():
        if name in other.requires and version_table(other.name) in existing:
            raise MigrationError(f"{other.name} requires {name}: remove that first.")
    record = recorded(connection, version_table(name))
    found = [each for each in histories(available.values()) if each.plugin == name]
    tables = {*record.tables, *(table for history in found for table in history.tables)}
    connection.rollback()
    return Leftover(
        name, record.package or name, tuple(sorted(tables & existing)), next(iter(found), None)
    )


def remove(connection: Connection, found: Leftover, to: IO[bytes]) -> None:
    """Write what there is, then drop it, all in one transaction.

    Raises MigrationError when a migration can't be taken back, and DBAPIError.
    """
    with held(connection), connection.begin():
        connection.execute(text(f"set local lock_timeout = '{LOCK_TIMEOUT}'"))
        tables = [*found.tables, version_table(found.name)]
        connection.execute(text(f"lock table {_listed(tables)} in access exclusive mode"))
        names = ", ".join(found.tables)
        now = datetime.now(UTC)
        header = HEADER.format(name=found.name, package=found.package, now=now, tables=names)
        archive.write(connection, tables, to, header)
        to.flush()
        os.fsync(to.fileno())
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
