"""Fixtures: run operator commands, including those of plugins, on the database of `live`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from competition.cli import extension, main
from competition.cli import ini as ini_files
from competition.testing.applications import Applications
from competition.testing.service import Service

Run = Callable[..., Result]


def write_ini(path: Path, settings: dict[str, str]) -> Path:
    lines = [f"{key} = {value}" for key, value in settings.items()]
    path.write_text("\n".join(["[app:main]", "use = egg:competition", *lines]))
    return path


@pytest.fixture
def ini(live: Service, base_settings: dict[str, str], tmp_path: Path) -> Path:
    """The path of an ini file with the settings and the database of `live`."""
    url = live.runtime.database.changing.engine.url.render_as_string(hide_password=False)
    settings = {**base_settings, "competition.database.url": url.replace("%", "%%")}
    return write_ini(tmp_path / "service.ini", settings)


@pytest.fixture
def run(
    ini: Path, live: Service, applications: Applications, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Function that runs a command at the time of `live`'s clock: ``run("flags", "list")``.

    Its option `status` is the expected exit status, by default 0, and `given` is the input. The
    environment names the ini file, so commands need no path. To save time, a command uses an
    application that an earlier test or command has built, if the settings are the same.
    """
    monkeypatch.setenv("COMPETITION_INI", str(ini))
    for module in (ini_files, extension):
        monkeypatch.setattr(module, "build", lambda raw, **_: applications.build(raw, live.clock))

    def run(*words: str, status: int = 0, given: str | None = None) -> Result:
        result = CliRunner().invoke(main, words, input=given)
        assert not result.exception or isinstance(result.exception, SystemExit), result.exception
        assert result.exit_code == status, result.output
        assert "Traceback" not in result.output
        return result

    return run
