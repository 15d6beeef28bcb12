"""``pytest --only PLUGIN``: the tests of one plugin, and all that it does not need is off."""

from pathlib import Path

import pytest

from competition.core.plugins import installed
from competition.testing.selection import needed, with_requirements


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--only",
        metavar="PLUGIN",
        help="switch on this plugin and what it requires; run the tests that need no more",
    )


@pytest.fixture(scope="session")
def plugins(pytestconfig: pytest.Config) -> set[str]:
    """All that are installed, without the option."""
    return switched_on(pytestconfig)


@pytest.fixture
def ours(own_settings: dict[str, str]) -> dict[str, str]:
    """Settings for `app_with`: plugins of other packages are off. They may put something into any
    reply, and tell anybody."""
    available = installed()
    on = own_settings["competition.plugins"].split()
    return {"competition.plugins": " ".join(name for name in on if available[name].is_ours)}


def switched_on(config: pytest.Config) -> set[str]:
    """The plugins of this run."""
    only = config.getoption("only")
    return with_requirements([only]) if only else set(installed())


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where the plugin is not named, no test needs it: the module need not be imported."""
    only = config.getoption("only")
    if only and collection_path.match("test_*.py"):
        return f'"{only}"' not in collection_path.read_text() or None
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    only = config.getoption("only")
    if only is None:
        return
    on = switched_on(config)

    def fits(item: pytest.Item) -> bool:
        needs = needed(item)
        return only in needs and needs <= on

    config.hook.pytest_deselected(items=[item for item in items if not fits(item)])
    items[:] = [item for item in items if fits(item)]
