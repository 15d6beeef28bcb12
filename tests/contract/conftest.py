"""The same service as in the functional tests."""

from tests.functional.conftest import (  # noqa: F401  # fixtures
    app_with,
    base_settings,
    empty_redis,
    engine,
    in_transaction,
)
