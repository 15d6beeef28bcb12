"""The built-in plugins, without those of other packages that may be installed beside them."""

import pytest

from competition.core.plugins import installed
from competition.testing.applications import Settings


@pytest.fixture
def ours() -> Settings:
    """Settings for `app_with`: the built-in plugins are enabled, and no others. A third-party
    plugin may execute more statements in any request, and notify users."""
    names = sorted(name for name, plugin in installed().items() if plugin.is_ours)
    return {"competition.plugins": " ".join(names)}
