"""Which plugins are on in the tests.

By default those of other packages than the service's, and what they require. Where more are
installed than are tested, the tests' ini file names some:

    [tool.pytest.ini_options]
    competition_plugins = "certificates notifications"

A single test has more by the mark ``@pytest.mark.needs("notifications")``, others by
``app_with({"competition.plugins": "…"})``; and a `conftest.py` may have a fixture `plugins` of its
own.
"""

from collections.abc import Iterable

import pytest

from competition.core.plugins import installed


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(
        "competition_plugins",
        "the plugins of the service that are on in the tests; what they require is on, too",
        type="args",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(*plugins): plugins that are on in a test, too")


def needed(item: pytest.Item) -> set[str]:
    """The plugins that a test names."""
    return {name for mark in item.iter_markers("needs") for name in mark.args}


@pytest.fixture(scope="session")
def plugins(pytestconfig: pytest.Config) -> set[str]:
    """The names of the plugins that are on."""
    return with_requirements(pytestconfig.getini("competition_plugins") or of_other_packages())


def of_other_packages() -> set[str]:
    return {name for name, plugin in installed().items() if not plugin.is_ours}


def with_requirements(names: Iterable[str]) -> set[str]:
    """These plugins, what they require, and what that requires."""
    available = installed()
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            # Of an unknown one the service says, at its start, that it is.
            waiting += available[name].requires if name in available else ()
    return found
