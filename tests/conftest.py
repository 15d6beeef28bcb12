"""Hooks for all tests, and the plugins that they use: the test kit (`competition.testing`) and
modules of tests/support."""

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
    "tests.support.page_modules",
    "tests.support.s3_storages",
)


def pytest_configure() -> None:
    # The first process of a run chooses the seed, and the others inherit it.
    os.environ.setdefault("FUZZ_SEED", str(random.randrange(10**6)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """The number of workers: one more than cores, because tests spend a fifth of their time waiting
    for processes.
    """
    return (os.cpu_count() or 1) + 1


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests in a browser as `long`, except the `essential` ones."""
    in_browser = "chromium" in getattr(item, "fixturenames", ())
    if in_browser and not item.get_closest_marker("essential"):
        item.add_marker("long")


# Tests in these folders take many seconds.
SLOW = ("tests/process/", "tests/examples/", "tests/embedded/", "tests/browser/")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run slow tests first, so that no slow test is left at the end of the run."""

    def begins(item: pytest.Item) -> int:
        if item.get_closest_marker("long"):
            return 0
        return 1 if item.nodeid.startswith(SLOW) else 2

    items.sort(key=begins)


def pytest_collection_finish() -> None:
    """Freeze the objects that exist now, so that garbage collections skip them, and make
    collections rare. Tests leave few objects behind, and most of them need no collection."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000)


def pytest_report_header() -> str:
    return f"FUZZ_SEED={os.environ['FUZZ_SEED']}"
