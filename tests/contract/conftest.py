"""The same service as in the functional tests."""

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
