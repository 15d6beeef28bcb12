"""Upgrading a database, comparing it with the models, and writing migrations."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from alembic.script import Script
from sqlalchemy import Connection, Executable, func, select, text

from alembic import command
from competition.core.database_errors import sqlstate
from competition.core.histories.history import (
    VERSIONS,
    History,
    MigrationError,
    current,
    explained,
    histories,
    ours,
)
from competition.core.plugins import Plugin

LOCK = func.hashtextextended("competition.migrations", 0)
# How long to wait between two attempts to acquire the lock, in seconds.
PAUSE = 0.2
# How long a migration waits for a lock, in milliseconds. The wait is short, because all requests
# that need the same table wait behind the migration. After the wait, the migration is rolled back,
# and tried again after RETRY_PAUSE seconds.
LOCK_TIMEOUT = 2_000
RETRY_PAUSE = 5.0
LOCK_NOT_AVAILABLE = "55P03"
# Describes the oldest transaction of all other connections, which probably holds the lock.
OLDEST = text(
    "select format('process %s (%s), %s, since %s', pid, usename, state, xact_start)"
    " from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
    " and xact_start is not null order by xact_start limit 1"
)
# The last of the migrations before the first release, which 0001 has replaced.
REPLACED = "0045"
# The arguments of ruff, by the name of the post-write hook.
HOOKS = {"lint": "check --fix-only --quiet", "format": "format --quiet"}


@contextmanager
def locked(connection: Connection, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Context manager: hold the advisory lock that every change of tables needs.

    If another connection holds the lock, `waiting` is called once. The lock is polled, because a
    statement that waits for it would block ``create index concurrently`` in the other connection.
    """
    if not _acquire(connection):
        waiting()
        while not _acquire(connection):
            time.sleep(PAUSE)
    try:
        yield
    finally:
        _execute_alone(connection, select(func.pg_advisory_unlock(LOCK)))


def _execute_alone(connection: Connection, statement: Executable) -> None:
    """Execute a statement in a transaction of its own. A lost connection needs none of these
    statements, because it no longer has its locks and settings."""
    if not connection.closed and not connection.invalidated:
        connection.rollback()
        connection.execute(statement)
        connection.commit()


def _acquire(connection: Connection) -> bool:
    is_acquired = bool(connection.scalar(select(func.pg_try_advisory_lock(LOCK))))
    connection.commit()
    return is_acquired


def upgrade(
    connection: Connection,
    plugins: Iterable[Plugin] = (),
    waiting: Callable[[], None] = lambda: None,
    ran: Callable[[str, str], None] = lambda revision, what: None,
    blocked: Callable[[str], None] = lambda by: None,
) -> None:
    """Run the migrations that the database lacks, of the service itself and of these plugins.

    `ran` is called with the id and the title of each migration. If another upgrade is running, this
    calls `waiting`, waits until the other upgrade ends, and runs the migrations that are still
    missing.

    A migration that can't lock a table within two seconds is rolled back, `blocked` is called with
    a description of the oldest open transaction, and the migration is tried again, until it
    succeeds.

    Raises MigrationError if a migration fails, or if the database has to be stamped first.
    """
    found = histories(plugins)
    with locked(connection, waiting):
        if current(connection, VERSIONS) == (REPLACED,):
            raise MigrationError(
                f"The database is at {REPLACED}, the last of the migrations that 0001 has replaced."
                " Nothing was changed. Run `competition db stamp` once, and then `competition db"
                " upgrade` again."
            )
        for history in found:
            _check_folder(history)
            with _short_waits(connection):
                while not _upgraded(connection, history, ran):
                    connection.rollback()
                    blocked(connection.scalar(OLDEST) or "a transaction that has just ended")
                    connection.rollback()
                    time.sleep(RETRY_PAUSE)


@contextmanager
def _short_waits(connection: Connection) -> Iterator[None]:
    """Context manager: statements fail if they wait for a lock for longer than LOCK_TIMEOUT."""
    _execute_alone(connection, text(f"set lock_timeout = {LOCK_TIMEOUT}"))
    try:
        yield
    finally:
        _execute_alone(connection, text("reset lock_timeout"))


def _upgraded(connection: Connection, history: History, ran: Callable[[str, str], None]) -> bool:
    """Run the missing migrations of a history.

    Returns False if a migration could not get a lock in time; the migrations before it stay
    applied. Raises MigrationError if a migration fails for another reason.
    """
    # End the current transaction, because Alembic commits only transactions that it has begun.
    connection.rollback()
    try:
        with explained(history.title):
            command.upgrade(history.config(connection, ran=ran), "heads")
    except MigrationError as error:
        if error.__cause__ is None or sqlstate(error.__cause__) != LOCK_NOT_AVAILABLE:
            raise
        return False
    return True


def stamp(connection: Connection, waiting: Callable[[], None] = lambda: None) -> None:
    """Change the recorded revision of a database from 0045 to 0001, without running a migration.

    The tables don't change: 0001 creates the same tables as the migrations up to 0045.

    Raises MigrationError, and changes nothing, if the database is not at 0045.
    """
    history = ours()
    with locked(connection, waiting):
        found = current(connection, VERSIONS)
        if found != (REPLACED,):
            raise MigrationError(
                f"Only a database at {REPLACED} can be stamped. This one"
                f" {f'is at {found[0]}' if found else 'has no tables of the service'}."
                " Nothing was changed."
            )
        # End the current transaction, because Alembic commits only transactions that it has begun.
        connection.rollback()
        with explained(history.title):
            command.stamp(history.config(connection), "0001", purge=True)


def check(connection: Connection, plugins: Iterable[Plugin] = ()) -> None:
    """Compare the tables of each history with its models.

    Raises MigrationError, with the differences of all histories, if there are any.
    """
    problems = []
    for history in histories(plugins):
        _check_folder(history)
        try:
            with explained(history.title):
                command.check(history.config(connection))
        except MigrationError as error:
            problems.append(str(error))
    if problems:
        raise MigrationError("\n".join(problems))


def _check_folder(history: History) -> None:
    """Raise MigrationError if the folder is missing. Alembic would treat a missing folder as an
    empty history."""
    if not history.folder.is_dir():
        raise MigrationError(
            f"The folder {history.folder}, which should contain the migrations of the plugin"
            f" {history.name}, does not exist. Check that the plugin's package contains it."
            " `competition db revision` writes the first migration."
        )


def revise(connection: Connection, history: History, message: str, empty: bool = False) -> Path:
    """Write a migration that adapts the tables to the models, and return its file.

    If ruff is installed, Alembic's post-write hooks format the file. With `empty`, the migration
    has no operations. Without it, this raises MigrationError if the tables already match the
    models.
    """
    history.folder.mkdir(parents=True, exist_ok=True)
    number = len(history.revisions()) + 1
    config = history.config(connection)
    if find_spec("ruff"):
        # An empty migration needs its unused imports, which the linter would remove.
        hooks = ["format"] if empty else ["lint", "format"]
        options = {"hooks": ", ".join(hooks)}
        for hook in hooks:
            options |= {f"{hook}.type": "module", f"{hook}.module": "ruff"}
            options[f"{hook}.options"] = f"{HOOKS[hook]} REVISION_SCRIPT_FILENAME"
        for name, value in options.items():
            config.set_section_option("post_write_hooks", name, value)

    def drop_empty_script(context: Any, heads: Any, directives: list[Any]) -> None:
        if not empty and directives[0].upgrade_ops.is_empty():
            directives.clear()

    with explained(history.title):
        script = command.revision(
            config,
            message,
            autogenerate=not empty,
            # The column of a version table has room for 32 characters.
            rev_id=f"{history.plugin[:27]}_{number:04}" if history.plugin else f"{number:04}",
            version_path=str(history.folder),
            process_revision_directives=drop_empty_script,
        )
    if not isinstance(script, Script):
        raise MigrationError(
            f"The tables of {history.name} already match its models. Use --empty to write a"
            " migration without comparing them."
        )
    return Path(script.path)
