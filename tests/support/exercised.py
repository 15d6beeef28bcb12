"""Check that a run of all tests covers the OpenAPI document: every operation and every status.

Each pytest worker reports the covered operations and statuses to the controller. The check needs a
complete run in which all tests have passed.
"""

import json
from typing import Any

import pytest

from competition.testing.document import exercised, operations
from tests.support.document import whole_document

Met = set[tuple[str, str, int]]

# The statuses that no test can produce, grouped by the reason.
EXEMPT: dict[str, Met] = {
    "Nothing that these answer with can be broken from outside: no database, no broker.": {
        ("GET", "/health/", 500),
        ("GET", "/ready/", 500),
        ("GET", "/files/{key}/", 500),
        ("GET", "/docs/", 500),
        ("GET", "/docs/spec/", 500),
        ("GET", "/docs/events/", 500),
        ("GET", "/docs/swagger/", 500),
        ("GET", "/docs/redoc/", 500),
    },
}


def documented() -> Met:
    return {
        (method, path, int(status))
        for method, path, description in operations(whole_document(only_ours=True))
        for status in description["responses"]
    }


def unmet(met: Met) -> Met:
    return documented().difference(met, *EXEMPT.values())


def is_whole(config: pytest.Config) -> bool:
    options = (
        "keyword",
        "lf",
        "deselect",
        "ignore",
        "ignore_glob",
        "collectonly",
    )
    return (
        config.args_source is config.ArgsSource.TESTPATHS
        and not config.getoption("markexpr")
        and not any(config.getoption(option, None) for option in options)
    )


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Exercised())


class Exercised:
    """A pytest plugin that collects the covered operations and statuses. It runs in the controller
    and in each worker.
    """

    def __init__(self) -> None:
        self.met: Met = set()
        self.missing: Met = set()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        reported = getattr(node, "workeroutput", {}).get("exercised", "[]")
        self.met |= {(method, path, status) for method, path, status in json.loads(reported)}

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["exercised"] = json.dumps(sorted(exercised))
        elif is_whole(session.config) and session.exitstatus == pytest.ExitCode.OK:
            self.missing = unmet(self.met | exercised)
            if self.missing:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.missing:
            terminalreporter.section("documented, but met by no test", red=True)
            for method, path, status in sorted(self.missing):
                terminalreporter.line(f"{method} {path} → {status}")
