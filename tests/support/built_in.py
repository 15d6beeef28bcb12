"""The built-in plugins, without third-party plugins that may be installed too."""

import pytest

from competition.core.plugins import installed
from competition.testing.applications import RawSettings


@pytest.fixture
def ours() -> RawSettings:
    """Settings for `app_with`: only the built-in plugins are enabled. A third-party plugin could
    execute further statements in any request, or notify users.
    """
    names = sorted(name for name, plugin in installed().items() if plugin.is_ours)
    return {"competition.plugins": " ".join(names)}
