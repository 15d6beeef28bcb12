"""A plugin needs what it requires, and nothing else: its tests pass with the rest switched off.

So whatever is switched off, the tests of what remains pass.
"""

import os
import subprocess
import sys

import pytest

from competition.core.plugins import installed
from competition.testing.databases import SERVERS_VARIABLE
from tests.support.repository import REPOSITORY

# Where there are tests of plugins that start no process.
TESTS = ("tests/core", "tests/plugins", "tests/contract/test_document.py")


@pytest.mark.parametrize(
    "plugin", sorted(name for name, plugin in installed().items() if plugin.is_ours)
)
def test_it_works_with_what_it_requires_alone(plugin, addresses, template):
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            # It takes seconds to load, and makes nothing of these tests.
            *("-p", "no:schemathesis"),
            *("--only", plugin, *TESTS),
        ],
        cwd=REPOSITORY,
        env=os.environ | {SERVERS_VARIABLE: f"{addresses.database_url} {addresses.redis_url}"},
        capture_output=True,
        text=True,
    )
    # 5: no test is marked for it.
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
