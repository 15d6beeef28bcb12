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
    "tests.support.schedule",
    "tests.support.browser",
    "tests.support.page_modules",
    "tests.support.s3_storages",
)

CI_SEED = 51


def pytest_configure() -> None:
    # The first process of a run chooses the seed, and the others inherit it. In CI it is fixed: no
    # change may fail by chance.
    seed = CI_SEED if os.environ.get("CI") else random.randrange(10**6)
    os.environ.setdefault("FUZZ_SEED", str(seed))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """The number of workers: one more than cores if `long` tests run, because these spend a fifth
    of their time waiting for processes. The others never wait, and each worker prepares its own
    applications and databases.
    """
    only_short = config.option.markexpr == "not long"
    return (os.cpu_count() or 1) + (not only_short)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark as `long` the tests that start a browser or processes, those with a database of their
    own (races, sockets, commands), and those that build an application with a plugin of their own.
    """
    used = {*getattr(item, "fixturenames", ())}
    in_processes = item.nodeid.startswith("tests/process/")
    if in_processes or used & {"chromium", "live_with", "install"}:
        item.add_marker("long")


def pytest_collection_finish() -> None:
    """Freeze the objects that exist now, so that garbage collections skip them, and make
    collections rare. Tests leave few objects behind, and most of them need no collection."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000)


def pytest_report_header() -> str:
    return f"FUZZ_SEED={os.environ['FUZZ_SEED']}"
