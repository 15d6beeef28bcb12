"""What all tests share: the kit (`competition.testing`), and tests/support, for ourselves."""

import gc
import os
import random

import pytest

pytest_plugins = (
    "competition.testing",
    "tests.support.built_in",
    "tests.support.exercised",
    "tests.support.programs",
    "tests.support.browser",
    "tests.support.s3_storages",
)


def pytest_configure() -> None:
    # All processes of a run have the same one, that of the first.
    os.environ.setdefault("FUZZ_SEED", str(random.randrange(10**6)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: a fifth of the time is waiting for processes."""
    return (os.cpu_count() or 1) + 1


# Of many seconds.
SLOW = ("tests/process/", "tests/examples/", "tests/embedded/", "tests/browser/")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow tests begin first: a run ends when its last test does."""

    def begins(item: pytest.Item) -> int:
        if item.get_closest_marker("long"):
            return 0
        return 1 if item.nodeid.startswith(SLOW) else 2

    items.sort(key=begins)


def pytest_collection_finish() -> None:
    """What is loaded now stays: else every collection of garbage looks through all of it. And
    what a test leaves behind is soon gone without one."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000)


def pytest_report_header() -> str:
    return f"FUZZ_SEED={os.environ['FUZZ_SEED']}"
