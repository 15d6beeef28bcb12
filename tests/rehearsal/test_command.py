"""The command `competition rehearse`."""

import subprocess
import sys

import pytest


@pytest.mark.long
def test_the_command_imports_its_models_in_an_order_that_works():
    # Use a new process, because in this process other tests have imported all models.
    command = [sys.executable, "-c", "import competition.rehearsal.exam_day"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
