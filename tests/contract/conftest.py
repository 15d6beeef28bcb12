"""The same service as in the functional tests, and plugins from elsewhere."""

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points

import pytest

from competition.core import plugins
from tests.functional.conftest import (  # noqa: F401  # fixtures
    app,
    app_with,
    base_settings,
    default_app,
    empty_redis,
    engine,
    in_transaction,
    live,
    live_with,
)


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """``install(external="some.module")``: another package that brings these plugins."""

    def bring(**modules: str) -> None:
        brought = [EntryPoint(name, module, plugins.GROUP) for name, module in modules.items()]
        monkeypatch.setattr(
            plugins, "entry_points", lambda group: [*entry_points(group=group), *brought]
        )

    return bring
