"""Deleting everything that a third-party plugin has in a database.

The plugin's migrations drop its tables. Its rows in tables of the service are found by the name of
the plugin: the names of its jobs, email templates, flags, aggregates and permissions begin with
this name, and the rows of its files contain it.
"""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    MetaData,
    String,
    Table,
    and_,
    cast,
    delete,
    func,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.schema import DropTable

from alembic import command
from competition.core.flags import Flag
from competition.core.histories.history import History, MigrationError, explained, histories
from competition.core.histories.migrations import locked
from competition.core.jobs.aggregates import AggregateRow
from competition.core.jobs.models import Job
from competition.core.mail.mails import SEND
from competition.core.mail.models import Mail
from competition.core.plugins import Plugin
from competition.core.storage.models import File
from competition.core.users.models import User

# How long the removal waits for a lock before it fails. Dropping a table that refers to users also
# locks the table of users. If this lock waits for a process that still has the plugin enabled, all
# other requests have to wait, too.
LOCK_TIMEOUT = "10s"


def find(name: str, available: Mapping[str, Plugin], on: Collection[str]) -> History | None:
    """The history of the plugin to remove; None for a plugin without migrations. `available` has
    the installed plugins, and `on` the names of the enabled plugins.

    Raises MigrationError if the plugin is enabled, built in, or not installed.
    """
    if name in on:
        raise MigrationError(
            f"{name} is enabled. Remove it from competition.plugins and restart the service first."
        )
    if name not in available:
        raise MigrationError(
            f"No plugin {name!r} is installed. If it was uninstalled, install its package again,"
            " because its own migrations drop its tables."
        )
    if available[name].is_ours:
        raise MigrationError(
            f"{name} is a part of the service. It can be disabled, but not removed."
        )
    found = (each for each in histories(available.values()) if each.plugin == name)
    return next(found, None)


def remove(connection: Connection, name: str, history: History | None) -> dict[str, int]:
    """Downgrade the plugin's migrations, and delete its rows and permissions, in one transaction.

    Returns the number of deleted rows for each of the service's tables; for users it is the number
    of users whose permissions were revoked. Raises MigrationError if a migration fails, or if other
    rows refer to rows that would be deleted.
    """
    with locked(connection), explained(f"{name} was not removed"), connection.begin():
        connection.execute(text(f"set local lock_timeout = '{LOCK_TIMEOUT}'"))
        if history is not None:
            command.downgrade(history.config(connection), "base")
            connection.execute(DropTable(Table(history.version_table, MetaData()), if_exists=True))
        return {
            statement.table.name: connection.execute(statement).rowcount
            for statement in _statements(name)
        }


def _statements(plugin: str) -> tuple[Any, ...]:
    """The statements that delete the plugin's rows in the service's tables, and revoke its
    permissions."""

    def named(column: Any) -> ColumnElement[bool]:
        # The same rule as `plugin_of`, in SQL.
        return or_(column == plugin, column.startswith(f"{plugin}.", autoescape=True))

    sendings = select(cast(Mail.sending, String)).where(named(Mail.template))
    granted = func.unnest(User.permissions).column_valued("granted")
    others = select(granted).where(~named(granted)).scalar_subquery()
    return (
        # The plugin's own jobs, and the jobs that send its emails.
        delete(Job).where(
            or_(named(Job.name), and_(Job.name == SEND, Job.key.in_(sendings))),
        ),
        delete(Mail).where(named(Mail.template)),
        delete(Flag).where(named(Flag.name)),
        delete(AggregateRow).where(named(AggregateRow.name)),
        delete(File).where(File.plugin == plugin),
        update(User)
        .values(permissions=func.array(others))
        .where(select(granted).where(named(granted)).exists()),
    )
