"""The guide for clients: its snippets do what they say, in its order."""

import re
import sys

from competition.testing.waiting import wait_until
from tests.support.processes import competition
from tests.support.repository import DEVELOPMENT_INI, REPOSITORY

GUIDE = REPOSITORY / "docs" / "client-guide.md"


def snippets(language):
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", GUIDE.read_text(), re.M | re.S)
    assert blocks
    return "\n".join(blocks)


def test_every_snippet_runs(launcher, var, tmp_path):
    up = launcher.start(competition("up", str(DEVELOPMENT_INI)))
    wait_until(lambda: up.says("Ctrl-C stops everything"))
    (tmp_path / "var").symlink_to(var)
    for command in (
        ["bash", "-euo", "pipefail", "-c", snippets("sh")],
        [sys.executable, "-c", snippets("python")],
    ):
        done = launcher.run(["env", "-C", str(tmp_path), *command])
        assert done.returncode == 0, done.stdout + done.stderr
