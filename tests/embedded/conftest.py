import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from competition.embedded import Servers


@pytest.fixture
def make_var(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    made: list[Path] = []

    def make(name: str = "var") -> Path:
        made.append(tmp_path / name)
        return made[-1]

    yield make
    for var in made:
        Servers(var).erase()


@pytest.fixture
def var(make_var: Callable[..., Path]) -> Path:
    return make_var()


@pytest.fixture
def launch() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start a process that keeps the servers of a `var` running. Return when they are up."""
    launched: list[subprocess.Popen[str]] = []

    def start(var: Path, *, before: str = "") -> subprocess.Popen[str]:
        code = (
            "import sys; from pathlib import Path; from competition.embedded import Servers\n"
            f"{before}\n"
            "with Servers(Path(sys.argv[1])): print('up', flush=True); sys.stdin.read()"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(var)],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        launched.append(process)
        assert process.stdout and process.stderr
        if process.stdout.readline() != "up\n":
            pytest.fail(process.stderr.read())
        return process

    yield start
    for process in launched:
        process.communicate()
