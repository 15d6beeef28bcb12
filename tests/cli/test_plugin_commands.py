"""`competition plugin`, and commands that plugins provide."""

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import inspect, text

from competition.cli import main
from competition.core.plugins import Plugin
from competition.testing.command_line import Run, write_ini
from competition.testing.service import Service
from tests.support.processes import ELSEWHERE

# Most of them upgrade a database several times.
pytestmark = pytest.mark.long


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """The plugin `outside` is installed until the test removes it."""
    with monkeypatch.context() as path:
        path.syspath_prepend(ELSEWHERE)
        yield path


@pytest.fixture
def on(base_settings: dict[str, str], ini: Path) -> Callable[[], str]:
    """A function that writes an ini file in which the plugin `outside` is enabled."""

    def write() -> str:
        lines = ini.read_text().splitlines()
        changed = [line + " outside" if ".plugins" in line else line for line in lines]
        file = ini.with_name("outside.ini")
        file.write_text("\n".join(changed))
        return str(file)

    return write


def line(result: Result, name: str) -> str:
    [found] = [line for line in result.stdout.splitlines() if re.match(rf"{name}\b", line)]
    return found


def tables(live: Service) -> set[str]:
    return {*inspect(live.runtime.database.changing).get_table_names()}


def execute(live: Service, statements: str) -> None:
    """Execute several statements at once."""
    connection: Any = live.runtime.database.changing
    with connection.begin() as begun:
        begun.connection.driver_connection.execute(statements)


# --- The list


def test_the_list_shows_pending_migrations_of_each_plugin(run: Run, outside: Any, on: Any) -> None:
    assert re.search(r"outside 1\.0 +off +- +1 pending$", line(run("plugin", "list"), "outside"))
    file = on()
    run("db", "upgrade", file)
    after = run("plugin", "list", file)
    assert re.search(r"outside 1\.0 +on +- +up to date$", line(after, "outside"))
    assert "competition 0.1.0" in line(after, "exams") and "questions" in line(after, "exams")


def test_the_list_shows_models_without_a_migration(
    run: Run, outside: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run("plugin", "list")
    monkeypatch.setattr("outside.MIGRATIONS", tmp_path)
    assert re.search(r"off +- +none written$", line(run("plugin", "list"), "outside"))


def test_an_uninstalled_plugin_is_listed_with_its_tables(run: Run, outside: Any) -> None:
    run("db", "upgrade")
    outside.undo()
    assert (
        line(run("plugin", "list"), "outside")
        == "outside is not installed. Its tables: outside_table"
    )


def test_the_list_shows_a_database_ahead_of_a_package(
    run: Run, live: Service, outside: Any
) -> None:
    run("db", "upgrade")
    execute(live, "update alembic_version_outside set version_num = 'outside_0009'")
    assert "unknown to its package" in line(run("plugin", "list"), "outside")


def test_an_upgrade_prints_the_migrations_it_ran(run: Run, outside: Any) -> None:
    assert run("db", "upgrade").stdout == (
        "outside_0001  A table of another package\nThe database is up to date.\n"
    )
    assert run("db", "upgrade").stdout == "The database is up to date.\n"


def test_a_database_from_before_the_first_release_is_stamped_before_it_is_upgraded(
    run: Run, live: Service, outside: Any
) -> None:
    created = Path(__file__).parents[1] / "contract" / "database_0045.sql"
    execute(live, "drop schema public cascade; create schema public;" + created.read_text())
    assert "Run `competition db stamp` once" in run("db", "upgrade", status=1).stderr
    stamped = run("db", "stamp").stdout
    assert stamped == "The database is at 0001. Run `competition db upgrade` now.\n"
    assert "This one is at 0001" in run("db", "stamp", status=1).stderr
    assert "outside_0001" in run("db", "upgrade").stdout
    run("db", "check")


# --- Export and erasure while a plugin is disabled


@pytest.mark.parametrize("uninstalled", [True, False])
def test_data_of_a_disabled_plugin_prevents_export_and_erasure(
    run: Run, live: Service, outside: Any, on: Any, uninstalled: bool
) -> None:
    person, file = live.candidate(), on()
    run("db", "upgrade")
    execute(live, "insert into outside_table default values")
    if uninstalled:
        outside.undo()
    for words in (("export",), ("erase", "--yes")):
        output = run("user", *words, person.email, status=1).output
        assert "outside: rows in outside_table" in output and "--without outside" in output
        assert live.user(person).first_name == "Ada"
    if not uninstalled:
        run("user", "export", person.email, file)
    run("user", "export", "--without", "outside", person.email)
    said = run("user", "erase", "--yes", "--without", "outside", person.email).output
    assert said.endswith("is erased, except for data of outside.\n")
    assert live.user(person).first_name == "Erased"


def test_a_disabled_plugin_without_rows_does_not_prevent_erasure(
    run: Run, live: Service, outside: Any
) -> None:
    run("db", "upgrade")
    run("user", "erase", "--yes", live.candidate().email)


def test_data_of_a_disabled_built_in_plugin_prevents_erasure(
    run: Run, live: Service, base_settings: dict[str, str], tmp_path: Path
) -> None:
    from competition.core.work import begin
    from competition.plugins.notifications.events import Notify

    person = live.candidate()
    with begin(live.runtime) as work:
        work.emit(Notify(work, [person.id], "Hello", "Somebody wrote."))
    url = live.runtime.database.changing.engine.url.render_as_string(hide_password=False)
    settings = {"competition.plugins": "docs", "competition.database.url": url.replace("%", "%%")}
    file = str(write_ini(tmp_path / "docs.ini", {**base_settings, **settings}))
    output = run("user", "erase", "--yes", person.email, file, status=1).output
    assert "notifications: rows in notice, notification" in output and "questions" not in output


# --- Removing


def test_a_removed_plugin_leaves_no_tables(run: Run, live: Service, outside: Any) -> None:
    run("db", "upgrade")
    execute(live, "insert into outside_table default values")
    output = run("plugin", "remove", "outside", given="outside\n").output
    assert "outside_table" in output
    assert {each for each in tables(live) if "outside" in each} == set()
    run("db", "upgrade")
    run("db", "check")


LEFT = """
insert into job (name, key, args, state, attempts, run_after, request_id, created_at) values
    ('outside.hold', '', '{"folder": "a\\tb"}', 'pending', 0, now(), 'r', now()),
    ('outside', '', '{}', 'done', 1, now(), 'r', now()),
    ('core.send_mails', '00000000-0000-4000-8000-000000000001', '{}', 'pending', 0, now(), 'r', now()),
    ('core.send_mails', '00000000-0000-4000-8000-000000000002', '{}', 'pending', 0, now(), 'r', now()),
    ('outsiders.hold', '', '{}', 'pending', 0, now(), 'r', now()),
    ('core.housekeeping', '', '{}', 'pending', 0, now(), 'r', now());
insert into mail (batch, sending, template, recipient, args, state, tries, try_after, created_at)
    select s, s, template, 'ada@school.example', '{}', 'pending', 0, now(), now() from (values
        (cast('00000000-0000-4000-8000-000000000001' as uuid), 'outside.thanks'),
        (cast('00000000-0000-4000-8000-000000000002' as uuid), 'outsiders.thanks')
    ) as mails (s, template);
insert into flag values ('outside.open', true, now()), ('outside_open', true, now());
insert into file values
    ('outside/1.pdf', 'outside', '-', 'application/pdf', 7, now(), ''),
    ('outsiders/1.pdf', 'outsiders', '-', 'application/pdf', 7, now(), '');
insert into aggregate values ('outside.counts', '{}', now()), ('dashboard', '{}', now());
"""  # noqa: E501 (rows)


def left(live: Service) -> dict[str, list[Any]]:
    """The rows in the tables of the service, by table, without the rows that the test itself has
    added.
    """
    with live.runtime.database.changing.connect() as connection:
        return {
            table: [row[0] for row in connection.execute(text(f"select t::text from {table} t"))]
            for table in ("job", "mail", "flag", "aggregate", "file")
        }


def test_a_removed_plugin_leaves_no_rows_and_permissions_in_the_service(
    run: Run, live: Service, outside: Any
) -> None:
    run("db", "upgrade")
    execute(live, LEFT)
    before = left(live)
    member = live.staff("volunteer", permissions=["outside.pin", "outsiders.pin", "outside"])
    output = run("plugin", "remove", "outside", "--yes").output
    for each in ("job  3", "mail  1", "flag  1", "aggregate  1", "file  1", "user  1"):
        assert f"  {each}\n" in output
    assert live.user(member).permissions == ["outsiders.pin"]
    after = left(live)
    assert {table: len(rows) for table, rows in after.items()} == {
        table: len(rows) - (3 if table == "job" else 1) for table, rows in before.items()
    }
    gone = [row for table in before for row in {*before[table]} - {*after[table]}]
    assert all(re.search(r"outside[.,/]|0000001", row) for row in gone), gone


def test_files_that_the_plugins_tables_reference_are_deleted(
    run: Run, live: Service, outside: Any
) -> None:
    run("db", "upgrade")
    refers = "alter table outside_table add file text"
    execute(live, f"{LEFT} {refers} references file default 'outside/1.pdf';")
    execute(live, "insert into outside_table default values")
    before = left(live)
    run("plugin", "remove", "outside", "--yes")
    assert len(left(live)["file"]) == len(before["file"]) - 1


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ("file text references file default 'outside/1.pdf'", 'referenced from table "of_others"'),
        ("id integer references outside_table", "cannot drop table outside_table"),
    ],
)
def test_a_removal_that_fails_deletes_nothing(
    run: Run, live: Service, outside: Any, others: str, message: str
) -> None:
    run("db", "upgrade")
    execute(live, f"{LEFT} create table of_others ({others});")
    execute(live, "insert into of_others default values")
    before = left(live)
    assert message in run("plugin", "remove", "outside", "--yes", status=1).output
    assert left(live) == before and "outside_table" in tables(live)


@pytest.mark.parametrize("name", ["core", "competition", "%", "outside'", "nobody"])
def test_an_unknown_plugin_is_not_removed(run: Run, live: Service, name: str) -> None:
    execute(live, LEFT)
    before = left(live)
    output = run("plugin", "remove", name, "--yes", status=1).output
    assert f"No plugin {name!r} is installed" in output or f'No plugin "{name}"' in output
    assert left(live) == before


def test_an_uninstalled_plugin_is_not_removed(run: Run, live: Service, outside: Any) -> None:
    run("db", "upgrade")
    outside.undo()
    output = run("plugin", "remove", "outside", "--yes", status=1).output
    assert "install its package again" in output
    assert "outside_table" in tables(live)


def test_typing_another_name_removes_nothing(run: Run, live: Service, outside: Any) -> None:
    run("db", "upgrade")
    output = run("plugin", "remove", "outside", given="inside\n", status=1).output
    assert "Nothing was removed" in output
    assert "outside_table" in tables(live)


def test_an_enabled_plugin_is_not_removed(run: Run, outside: Any, on: Any) -> None:
    run("db", "upgrade")
    assert "outside is enabled" in run("plugin", "remove", "outside", on(), status=1).output


def test_a_built_in_plugin_is_not_removed(
    run: Run, base_settings: dict[str, str], tmp_path: Path
) -> None:
    without = write_ini(tmp_path / "without.ini", {**base_settings, "competition.plugins": "docs"})
    output = run("plugin", "remove", "operations", str(without), status=1).output
    assert "operations is a part of the service" in output


def test_a_plugin_without_tables_can_be_removed(
    run: Run, live: Service, outside: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute(live, LEFT)
    before = left(live)
    single = Plugin("outside", import_module("tests.contract.single_module_plugin"))
    monkeypatch.setattr("competition.cli.plugins.installed", lambda: {"outside": single})
    run("plugin", "remove", "outside", "--yes")
    assert len(left(live)["job"]) == len(before["job"]) - 3


def test_a_failed_downgrade_removes_nothing(run: Run, live: Service, outside: Any) -> None:
    run("db", "upgrade")
    execute(live, f"{LEFT} update alembic_version_outside set version_num = 'outside_0009'")
    before = left(live)
    assert "'outside_0009'" in run("plugin", "remove", "outside", "--yes", status=1).output
    assert left(live) == before and "outside_table" in tables(live)


# --- Commands of plugins, with an ini argument


def without_a_default(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.delenv("COMPETITION_INI", raising=False)
    monkeypatch.chdir(folder)


def test_the_ini_argument_selects_the_plugins_whose_commands_exist(
    ini: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_a_default(monkeypatch, tmp_path / "..")
    result = CliRunner().invoke(main, ["backups", "list", str(ini)])
    assert result.exit_code == 0, result.output
    assert result.output.startswith("id")


def test_the_ini_argument_wins_over_the_environment(
    run: Run, ini: Path, base_settings: dict[str, str], tmp_path: Path
) -> None:
    without = {**base_settings, "competition.plugins": "docs"}
    other = str(write_ini(tmp_path / "without.ini", without))
    assert "No such command 'backups'" in run("backups", "list", other, status=2).output


def test_without_an_ini_a_plugins_command_names_the_variable_to_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_a_default(monkeypatch, tmp_path)
    result = CliRunner().invoke(main, ["backups", "list", "nowhere.ini"])
    assert result.exit_code == 2
    assert "No such command 'backups'" in result.output and "COMPETITION_INI" in result.output


def test_an_unusable_ini_argument_is_rejected(run: Run, ini: Path) -> None:
    """Otherwise the command would run for a service that the operator has not named."""
    other = ini.with_suffix(".conf")
    other.write_text(ini.read_text())
    assert "its name must end with .ini" in run("backups", "list", str(other), status=2).output
    assert "It must exist" in run("backups", "list", "nowhere.ini", status=2).output


# --- A new plugin


def test_the_template_is_filled_with_the_plugins_name(tmp_path: Path) -> None:
    folder = tmp_path / "package"
    result = CliRunner().invoke(main, ["plugin", "new", "mentors", "--folder", str(folder)])
    assert result.exit_code == 0, result.output
    files = [path for path in folder.rglob("*") if path.is_file()]
    for file in files:
        assert not re.search("NAME|VERSION|template$", f"{file}\n{file.read_text()}"), file
        if file.suffix == ".py":
            compile(file.read_text(), str(file), "exec")
    assert folder / "competition_mentors/migrations/mentors_0001_notes.py" in files
    # Delete the folder of the build, because the next wheel would contain files that were left
    # there.
    assert "build/" in (folder / ".gitignore").read_text()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Mentors", "small letters"),
        ("m" * 25, "24 characters"),
        ("exams", "there is already a plugin exams"),
        *((name, "the service has") for name in ("competition", "core", "user", "plugin", "jobs")),
    ],
)
def test_an_unusable_plugin_name_is_rejected(tmp_path: Path, name: str, message: str) -> None:
    words = ["plugin", "new", name, "--folder", str(tmp_path / "package")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2 and message in " ".join(result.output.split())
    assert not (tmp_path / "package").exists()


def test_a_folder_that_is_not_empty_is_left_unchanged(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    words = ["plugin", "new", "mentors", "--folder", str(tmp_path)]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 1 and "not empty" in result.output
