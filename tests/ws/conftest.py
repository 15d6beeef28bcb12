"""Socket servers in processes of their own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest

from competition.core.auth.keyring import SigningSettings
from competition.core.database import DatabaseSettings
from competition.core.runtime import RedisSettings
from competition.testing.service import Service
from tests.support.processes import Launcher, environment
from tests.support.sockets import Processes


@pytest.fixture
def processes(live_with: Callable[..., Service], tmp_path: Path) -> Iterator[Processes]:
    service = live_with({})
    service.clock.now = datetime.now(UTC)
    settings = service.runtime.settings
    launcher = Launcher(
        tmp_path,
        environment(
            tmp_path / "var",
            COMPETITION_DATABASE_URL=settings[DatabaseSettings].url,
            COMPETITION_REDIS_URL=settings[RedisSettings].url,
            COMPETITION_SIGNING_KEYS=" ".join(settings[SigningSettings].keys),
            COMPETITION_WS_RECHECK="3600",
        ),
    )
    with ExitStack() as clients:
        yield Processes(service, launcher, clients)
    launcher.end_all()
