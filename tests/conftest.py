"""What all tests share: the kit (`competition.testing`), and tests/support, for ourselves."""

import gc
import os
import random

import pytest

pytest_plugins = (
    "competition.testing",
    # After the kit, of which it overrides a fixture.
    "tests.support.selection",
    "tests.support.exercised",
    "tests.support.programs",
)


def pytest_configure() -> None:
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
