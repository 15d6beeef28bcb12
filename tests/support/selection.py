"""Which plugins are on in a test of ours.

What a test names with `needs`, and what that requires: so each plugin is tried without all that it
does not require, and whatever is switched off, the rest works. A test that names none has every
plugin. ``pytest --everything`` has every plugin on in all of them, those of other packages too:
nobody's additions disturb.
"""

from functools import cache

import pytest

from competition.core.plugins import installed
from competition.testing.applications import Settings
from competition.testing.selection import needed, with_requirements


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--everything",
        action="store_true",
        help="have every plugin on in every test, whatever the test needs",
    )


@pytest.fixture(scope="session")
def plugins() -> set[str]:
    return set(installed())


@pytest.fixture
def own_settings(
    base_settings: Settings, request: pytest.FixtureRequest, pytestconfig: pytest.Config
) -> Settings:
    needs = needed(request.node)
    if not needs or pytestconfig.getoption("everything"):
        return base_settings
    return {**base_settings, **_on(frozenset(needs))}


@pytest.fixture
def alone(request: pytest.FixtureRequest) -> Settings:
    """Settings for `app_with`: what the test needs is on, and nothing else. For numbers of
    statements, to which any plugin may add."""
    return _on(frozenset(needed(request.node)))


# Nothing that is installed meanwhile is required by ours.
@cache
def _on(needs: frozenset[str]) -> Settings:
    return {"competition.plugins": " ".join(sorted(with_requirements(needs)))}


@pytest.fixture
def ours() -> Settings:
    """Settings for `app_with`: the built-in plugins are enabled, and no others. A third-party
    plugin may execute more statements in any request, and notify anybody."""
    names = sorted(name for name, plugin in installed().items() if plugin.is_ours)
    return {"competition.plugins": " ".join(names)}
