"""Each package has its own migration history, so that no package blocks another."""

import shutil
import threading
from dataclasses import replace

import pytest
from alembic.command import check, downgrade
from sqlalchemy import create_engine, inspect, text

from competition.core.histories import migrations
from competition.core.histories.history import (
    MigrationError,
    current,
    histories,
    left_behind,
    ours,
)
from competition.core.histories.migrations import locked, revise, upgrade
from competition.core.histories.readiness import is_behind
from competition.core.plugins import Plugin, in_order, installed
from tests.support.processes import ELSEWHERE

# They migrate an empty database each, which takes long.
pytestmark = pytest.mark.long

HEAD = ("outside_0001",)
VERSIONS = "alembic_version_outside"


@pytest.fixture
def engine(databases):
    """An engine for an empty database."""
    url = databases.create()
    engine = create_engine(url)
    yield engine
    engine.dispose()
    databases.drop(url)


@pytest.fixture
def connection(engine):
    with engine.connect() as connection:
        yield connection


@pytest.fixture
def outside(monkeypatch):
    """Install the third-party package until the test undoes it."""
    with monkeypatch.context() as path:
        path.syspath_prepend(ELSEWHERE)
        yield path


def with_all(connection):
    upgrade(connection, installed().values())


def history():
    return histories(installed().values())[-1]


def tables(connection):
    return {*inspect(connection).get_table_names()}


def test_a_plugin_has_a_version_table_of_its_own(connection, outside):
    with_all(connection)
    assert current(connection, VERSIONS) == HEAD
    assert current(connection, "alembic_version") == tuple(ours().script_directory().get_heads())
    assert "outside_table" in tables(connection)


def test_a_table_belongs_to_the_package_that_declares_it(outside):
    our, *others = histories(installed().values())
    [its] = [each for each in others if each.plugin == "outside"]
    assert its.tables == {"outside_table"}
    assert {"user", "exam"} < our.tables and "outside_table" not in our.tables


def test_the_check_of_the_service_ignores_tables_of_plugins(connection, outside):
    with_all(connection)
    check(ours().config(connection))
    migrations.check(connection, installed().values())


def test_a_table_that_no_package_declares_is_ignored(connection):
    upgrade(connection)
    connection.execute(text("create table of_an_extension (id integer)"))
    connection.commit()
    check(ours().config(connection))


def test_a_difference_is_reported_with_its_package(connection, outside):
    with_all(connection)
    connection.execute(text("alter table outside_table add column more integer"))
    connection.execute(text("drop table aggregate"))
    connection.commit()
    with pytest.raises(MigrationError) as refused:
        migrations.check(connection, installed().values())
    ours, outsides = str(refused.value).splitlines()
    assert ours.startswith("The migrations of competition: ") and "aggregate" in ours
    assert outsides.startswith("The migrations of outside: ") and "'more'" in outsides


def test_a_database_that_is_not_up_to_date_is_not_compared(connection):
    with pytest.raises(MigrationError, match="database is not up to date"):
        migrations.check(connection)


# --- A package that is gone


def test_tables_of_an_uninstalled_plugin_stop_nothing(connection, outside):
    with_all(connection)
    outside.undo()
    with_all(connection)
    migrations.check(connection, installed().values())
    check(ours().config(connection))
    assert "outside_table" in tables(connection)


def test_tables_of_an_uninstalled_plugin_are_listed(connection, outside):
    with_all(connection)
    assert left_behind(connection, installed().values()) == {}
    outside.undo()
    assert left_behind(connection, installed().values()) == {"outside": {"outside_table"}}


def test_a_reinstalled_plugin_continues_its_history(connection, outside):
    with_all(connection)
    outside.undo()
    with_all(connection)
    outside.syspath_prepend(ELSEWHERE)
    with_all(connection)
    assert current(connection, VERSIONS) == HEAD


def test_a_database_of_a_newer_version_is_rejected_and_unchanged(connection):
    upgrade(connection)
    connection.execute(text("update alembic_version set version_num = '9999'"))
    connection.commit()
    with pytest.raises(MigrationError, match=r"The migrations of competition: .*'9999'"):
        upgrade(connection)
    assert current(connection, "alembic_version") == ("9999",)


# --- Mistakes of a plugin


@pytest.fixture
def plugin(tmp_path, outside):
    """Create a plugin with a migration of the given text."""

    def make(text, revision="broken_0001"):
        folder = tmp_path / "migrations"
        folder.mkdir()
        head = f"revision = '{revision}'\ndown_revision = None\n"
        (folder / "broken_0001.py").write_text(f"from alembic import op\n{head}{text}")

        class Module:
            __name__ = "broken"
            MIGRATIONS = folder

        return Plugin("broken", Module)

    return make


def test_a_failed_plugin_migration_is_named_after_the_services_own_ran(connection, plugin):
    with pytest.raises(MigrationError, match="The migrations of broken: division by zero"):
        upgrade(connection, [plugin("def upgrade(): op.execute('select 1/0')")])
    connection.rollback()
    check(ours().config(connection))


def test_a_migration_stays_applied_if_the_next_one_fails(connection, plugin):
    made = plugin("def upgrade(): op.execute('create table broken_table (id integer)')")
    second = "revision = 'b2'\ndown_revision = 'broken_0001'\ndef upgrade(): 1/0"
    (made.migrations / "broken_0002.py").write_text(second)
    with pytest.raises(ZeroDivisionError):
        upgrade(connection, [made])
    assert current(connection, "alembic_version_broken") == ("broken_0001",)
    assert "broken_table" in tables(connection)


def test_a_migration_that_waits_for_a_lock_is_rolled_back_and_tried_again(
    connection, engine, plugin, monkeypatch
):
    monkeypatch.setattr(migrations, "LOCK_TIMEOUT", 50)
    monkeypatch.setattr(migrations, "RETRY_PAUSE", 0)
    made = plugin("def upgrade(): op.execute('alter table broken_table add name text')")
    reader, told, ran = engine.connect(), [], []

    def end_reading(by):
        told.append(by)
        with engine.connect() as other:
            # No request waits behind the migration between two tries.
            other.execute(text("select * from broken_table"))
        if len(told) == 2:
            reader.rollback()

    connection.execute(text("create table broken_table (id integer)"))
    connection.commit()
    reader.execute(text("select * from broken_table"))
    upgrade(
        connection, [made], ran=lambda revision, what: ran.append(revision), blocked=end_reading
    )
    reader.close()
    assert len(told) == 2 and all("idle in transaction" in by for by in told)
    assert ran.count("broken_0001") == 1
    assert connection.scalar(text("show lock_timeout")) == "0"


def test_a_missing_migration_folder_is_named(connection, plugin):
    made = plugin("def upgrade(): pass")
    shutil.rmtree(made.migrations)
    with pytest.raises(MigrationError, match="Check that the plugin's package contains it"):
        upgrade(connection, [made])


def test_tables_without_migrations_are_rejected(outside, monkeypatch):
    found = installed()
    monkeypatch.delattr(found["outside"].module, "MIGRATIONS")
    with pytest.raises(MigrationError, match=r"outside has tables \(outside_table\) but no MIGRA"):
        histories(found.values())


def test_a_table_that_is_not_named_after_its_plugin_is_rejected(outside):
    found = installed()["outside"]
    message = "The plugin inside has a table outside_table.* or begin with inside_"
    with pytest.raises(MigrationError, match=message):
        histories([Plugin("inside", found.module)])


# --- The order of migrations, and one upgrade at a time


def test_plugins_are_migrated_after_their_requirements():
    class First:
        REQUIRES = ("second", "not-there")

    class Second:
        REQUIRES = ()

    class Circle:
        REQUIRES = ("circle",)

    plugins = [Plugin("first", First), Plugin("second", Second), Plugin("circle", Circle)]
    assert [each.name for each in in_order(plugins)] == ["second", "first", "circle"]


def test_simultaneous_upgrades_run_once(engine, outside):
    """The second upgrade finds nothing to do. Without the lock, both upgrades would create the
    tables.
    """
    waited, failures = [], []

    def run():
        try:
            with engine.connect() as connection:
                upgrade(connection, plugins, waiting=lambda: waited.append(True))
        except Exception as error:
            failures.append(error)

    plugins = list(installed().values())
    threads = [threading.Thread(target=run) for _ in range(3)]
    with engine.connect() as holder, locked(holder):
        for thread in threads:
            thread.start()
        while len(waited) < 3:
            assert not failures
    for thread in threads:
        thread.join()
    assert failures == []
    with engine.connect() as connection:
        migrations.check(connection, plugins)


def test_the_lock_is_released_after_a_failure(engine, plugin):
    with engine.connect() as connection, pytest.raises(ZeroDivisionError):
        upgrade(connection, [plugin("def upgrade(): 1/0")])
    with engine.connect() as other:
        upgrade(other, waiting=lambda: pytest.fail("it is held"))


def test_a_plugins_history_can_be_downgraded_separately(connection, outside):
    with_all(connection)
    downgrade(history().config(connection), "base")
    assert "outside_table" not in tables(connection)
    check(ours().config(connection))


# --- Writing a migration


def test_an_empty_migration_has_the_imports(connection, outside, tmp_path):
    with_all(connection)
    folder = shutil.copytree(history().folder, tmp_path / "migrations")
    file = revise(connection, replace(history(), folder=folder), "By hand", empty=True)
    written = file.read_text()
    assert "import sqlalchemy as sa" in written and "from alembic import op" in written
    assert 'revision = "outside_0002"' in written and 'down_revision = "outside_0001"' in written


# --- Readiness


def test_only_a_database_that_lacks_a_migration_is_behind(connection):
    assert is_behind(connection, ours())
    upgrade(connection)
    assert not is_behind(connection, ours())
    for revision, behind in (("0001", True), ("9999", False)):
        connection.execute(text(f"update alembic_version set version_num = '{revision}'"))
        assert is_behind(connection, ours()) is behind
