"""Run the database commands by hand while a third-party plugin is installed."""

import shutil
from pathlib import Path

import pytest

from competition.testing.waiting import wait_until
from tests.support.ports import free_port
from tests.support.processes import (
    ELSEWHERE,
    Launcher,
    call,
    competition,
    is_healthy,
    script,
)
from tests.support.repository import REPOSITORY

UPGRADE = competition("db", "upgrade")


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A copy of the package that tests can change."""
    return Path(shutil.copytree(ELSEWHERE, tmp_path / "elsewhere"))


@pytest.fixture
def empty(on_empty: Launcher, elsewhere: Path) -> Launcher:
    """Starts processes that use an empty database, and in which the package is installed."""
    on_empty.environment |= {
        "COMPETITION_PLUGINS": "docs outside",
        "PYTHONPATH": str(elsewhere),
    }
    return on_empty


def test_plain_alembic_handles_only_the_services_history(empty: Launcher, tmp_path: Path) -> None:
    # The command `revision` writes a file beside its configuration, so use a copy.
    for name in ("pyproject.toml", "development.ini"):
        shutil.copy(REPOSITORY / name, tmp_path / name)
    shutil.copytree(REPOSITORY / "alembic", tmp_path / "alembic")
    empty.cwd = tmp_path

    empty.succeed([script("alembic"), "-c", "development.ini", "upgrade", "heads"])
    upgraded, current, check, revised = empty.run_all(
        "competition db upgrade",
        "alembic -c development.ini current",
        "alembic -c development.ini check",
        "alembic -c development.ini revision --autogenerate --rev-id=9999 -m nothing",
    )
    assert (upgraded.status, current.status, check.status, revised.status) == (0, 0, 0, 0)
    assert current.output.count("\n") == 1
    assert "No new upgrade operations" in check.output
    written = tmp_path / "alembic/versions/9999_nothing.py"
    assert "outside" not in written.read_text()

    written.unlink()
    done = empty.run_all(
        *(f"alembic -c development.ini {words}" for words in ("upgrade heads", "check", "current")),
        PYTHONPATH="",
        COMPETITION_PLUGINS="docs",
    )
    assert [each.status for each in done] == [0, 0, 0], done


def test_a_migration_of_a_plugin_is_written_into_its_own_folder(
    empty: Launcher, elsewhere: Path
) -> None:
    shutil.rmtree(elsewhere / "outside/migrations")
    revise = "competition db revision outside -m"
    refused, revised, early, upgraded, again = empty.run_all(
        "competition db upgrade",
        f"{revise} 'The first table'",
        f"{revise} 'too early'",
        "competition db upgrade",
        f"{revise} nothing",
    )
    assert refused.status == 1 and "does not exist" in refused.errors
    assert (revised.status, upgraded.status) == (0, 0)
    first = (elsewhere / "outside/migrations/outside_0001_the_first_table.py").read_text()
    assert "down_revision = None" in first and "branch_labels = None" in first
    assert 'create_table(\n        "outside_table",' in first
    assert early.status == 1 and "not up to date" in early.errors
    assert again.status == 1 and "already match its models" in again.errors

    models = elsewhere / "outside/models.py"
    declared = models.read_text().replace("Identity\n", "CheckConstraint, Identity\n")
    more = ("name: Mapped[str]", '__table_args__ = (CheckConstraint("name > \'\'", "named"),)')
    models.write_text(declared + "".join(f"    {line}\n" for line in more))
    checked, *done = empty.run_all(
        "competition db check",
        f"{revise} 'A name'",
        "competition db upgrade",
        "competition db check",
        f"{revise} 'by hand' --empty",
    )
    assert "The migrations of outside: " in checked.errors and "add_column" in checked.errors
    assert "ck_outside_table_named" in checked.errors
    assert [each.status for each in done] == [0, 0, 0, 0], done
    [second] = (elsewhere / "outside/migrations").glob("outside_0002_*.py")
    assert 'down_revision = "outside_0001"' in second.read_text()
    assert "exam" not in second.read_text()
    assert 'create_check_constraint(op.f("ck_outside_table_named")' in "".join(
        second.read_text().split()
    )


def test_two_simultaneous_upgrades_succeed_and_the_service_works_after_the_plugin_was_uninstalled(
    empty: Launcher,
) -> None:
    both = [empty.start(UPGRADE) for _ in range(2)]
    assert [each.popen.wait(60) for each in both] == [0, 0], [each.output for each in both]
    assert all(each.output.endswith("The database is up to date.\n") for each in both)

    without = {"PYTHONPATH": "", "COMPETITION_PLUGINS": "docs"}
    upgraded, checked, listed, unknown = empty.run_all(
        "competition db upgrade",
        "competition db check",
        "competition plugin list",
        "competition db revision outside -m more",
        **without,
    )
    assert (upgraded.status, checked.status, listed.status) == (0, 0, 0)
    assert "outside is not installed. Its tables: outside_table" in listed.output
    assert unknown.status == 1 and "There is no plugin 'outside'" in unknown.errors
    port = str(free_port())
    api = empty.start(competition("api"), COMPETITION_SERVER_PORT=port, **without)
    worker = empty.start(competition("worker"), **without)
    base = f"http://127.0.0.1:{port}/v1"
    wait_until(lambda: api.popen.poll() is not None or is_healthy(base))
    assert call("GET", f"{base}/ready/")[0] == 200
    assert worker.popen.poll() is None, worker.output
