"""What all tests share is in tests/support; its fixtures and options come from these modules."""

import gc
import os
import random

import pytest

from tests.support.exercised import Exercised

pytest_plugins = (
    "tests.support.selection",
    "tests.support.databases",
    "tests.support.applications",
    "tests.support.command_line",
    "tests.support.programs",
)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Exercised())
    # All processes of a run have the same one, that of the first.
    os.environ.setdefault("FUZZ_SEED", str(random.randrange(10**6)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: a fifth of the time is waiting for processes."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish() -> None:
    """What is loaded now stays: else every collection of garbage looks through all of it."""
    gc.collect()
    gc.freeze()


def pytest_report_header() -> str:
    return f"FUZZ_SEED={os.environ['FUZZ_SEED']}"
