"""The tutorial *Your first plugin*, followed word by word in an empty folder."""

import os
import signal
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.ports import free_port
from tests.support.repository import REPOSITORY
from tests.support.tutorials import Block, blocks, script, unexpected

BLOCKS = blocks("first-plugin.md")
PATIENCE = 900
# The commands of the virtual environment that the tutorial uses, by the module that each runs.
COMMANDS = {"competition": "competition.cli", "pip": "pip"}
IS_RUNNING = "Press Ctrl-C to stop everything."


def checkout(folder: Path) -> None:
    """A checkout whose virtual environment has the packages of this one, so that the author can
    install another package into it."""
    folder.mkdir()
    for entry in REPOSITORY.iterdir():
        if entry.name not in (".git", ".venv"):
            (folder / entry.name).symlink_to(entry)
    own = folder / ".venv"
    venv.create(own, symlinks=True)
    packages = own / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    ours = sysconfig.get_path("purelib")
    (packages / "ours.pth").write_text(f"import site; site.addsitedir({ours!r})\n")
    for name, module in COMMANDS.items():
        command = own / "bin" / name
        command.write_text(f'#!/bin/sh\nexec {own}/bin/python -m {module} "$@"\n')
        command.chmod(0o755)
    # A program, which `python -m ruff` runs.
    (own / "bin/ruff").symlink_to(Path(sys.executable).with_name("ruff"))
    # `make install` finds nothing to do.
    (own / "installed").touch()


def run(block: Block) -> str:
    """The commands of a block. Those for the second terminal run in the background, and the script
    waits until the service runs."""
    if "second terminal" not in block.note:
        return block.code
    is_again = block.note.endswith("again")
    code = block.code.replace("competition up", "exec competition up")
    return f"""
if test -n "${{second:-}}"; then kill $second; wait $second || true; fi
: >"$start/up.log"
({"" if is_again else 'cd "$start"'}
{code}) >"$start/up.log" 2>&1 & second=$!
until grep -q '{IS_RUNNING}' "$start/up.log"; do kill -0 $second; sleep 0.2; done
cat "$start/up.log"
"""


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, str]]:
    """The exit status and the output of the author who has followed all blocks."""
    start = tmp_path_factory.mktemp("tutorial")
    checkout(start / "competition")
    start.chmod(0o755)
    variables = {name: value for name, value in os.environ.items() if "COMPETITION" not in name}
    variables |= {"PORT": str(free_port()), "WS_PORT": str(free_port()), "start": str(start)}
    # What pip would download is installed already.
    variables |= {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_QUIET": "1"}
    log = start / "output"
    with log.open("w") as output:
        done = subprocess.Popen(
            ["bash", "-c", f"{script(BLOCKS, run)}\nkill $second; wait $second || true"],
            cwd=start,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield done.wait(PATIENCE), log.read_text()
    finally:
        # The service in the background, too. After a failed start, none is left.
        with suppress(ProcessLookupError):
            os.killpg(done.pid, signal.SIGTERM)
        done.wait()


@pytest.mark.long
def test_every_block_works(followed: tuple[int, str]) -> None:
    status, output = followed
    assert status == 0, output


@pytest.mark.long
def test_every_command_prints_what_the_tutorial_shows(followed: tuple[int, str]) -> None:
    assert unexpected(BLOCKS, followed[1]) == []
