"""In which order the tests of a run start, in which worker, and when the run ends.

All tests of a file run in one worker, one after another, so that they share what the file sets up.
Three kinds follow each other:

1. Tests that mostly wait for real time to pass (`WAITING`) start first, all in one worker, and wait
   beside the others.
2. Cheap tests, so that an error in a rule, a schema or a module of a page is reported within
   minutes.
3. Expensive tests (`long`), those of whole folders that take many seconds each first.

With `TEST_BUDGET`, in seconds, a run that takes longer is stopped, and names what did not run.
"""

import os
import signal
from collections import Counter
from typing import Any

import pytest

from tests.support.repository import REPOSITORY

# Files of tests that mostly wait for real time to pass: of exam days, frozen processes and leases.
WAITING = (
    "tests/process/test_exam_day.py",
    "tests/process/deploy/test_frozen.py",
    "tests/tools/demo/test_season.py",
)
# These run in a browser, but need little time.
CHEAP = "tests/pages/"
# The folders whose tests take the longest, in the order in which they start.
FOLDERS = ("tests/process/", "tests/embedded/", "tests/examples/", "tests/browser/")

collected: set[str] = set()
finished: set[str] = set()


def pytest_configure() -> None:
    missing = [each for each in WAITING if not (REPOSITORY / each).is_file()]
    assert missing == [], f"tests/support/schedule.py names files that do not exist: {missing}"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def begins(item: pytest.Item) -> int:
        if item.nodeid.startswith(WAITING):
            return 0
        if not item.get_closest_marker("long") or item.nodeid.startswith(CHEAP):
            return 1
        places = (number for number, each in enumerate(FOLDERS) if item.nodeid.startswith(each))
        return 2 + next(places, len(FOLDERS))

    items.sort(key=begins)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "waiting" if nodeid.startswith(WAITING) else nodeid.partition("::")[0]

    # Keep the order of the tests, instead of beginning with the files that have the most.
    config.option.loadscopereorder = False
    return ByFile(config, log)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Limit the time of the run. Only the process that starts the workers does so."""
    budget = os.environ.get("TEST_BUDGET")
    if budget and session.config.getoption("dist", "no") != "no":
        signal.signal(signal.SIGALRM, _end)
        signal.alarm(int(budget))


def _end(*_: Any) -> None:
    pytest.exit(f"The run took longer than {os.environ['TEST_BUDGET']} seconds.")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(ids: list[str]) -> None:
    collected.update(ids)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "teardown":
        finished.add(report.nodeid)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    missing = Counter(each.partition("::")[0] for each in collected - finished)
    if missing:
        terminalreporter.section("did not run", red=True)
        for file, number in sorted(missing.items()):
            terminalreporter.line(f"{number} of {file}")
