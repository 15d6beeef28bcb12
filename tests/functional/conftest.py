"""The real application on the embedded servers."""

from collections.abc import Iterator

import pytest
from webtest import TestApp

from competition.core.plugins import build
from competition.core.runtime import Runtime
from competition.embedded import Servers


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    servers = Servers(tmp_path_factory.mktemp("var"), durable=False)
    servers.start()
    yield servers
    servers.erase()


@pytest.fixture
def raw_settings(servers: Servers, tmp_path) -> dict[str, str]:
    return {
        "competition.environment": "development",
        "competition.plugins": "docs",
        "competition.support_email": "support@league.example",
        "competition.database.url": servers.addresses.database_url,
        "competition.redis.url": servers.addresses.redis_url,
        "competition.signing.keys": "development-" + "k" * 32,
        "competition.mail.sender": "league@league.example",
        "competition.mail.folder": str(tmp_path / "mail"),
        "competition.storage.folder": str(tmp_path / "files"),
    }


@pytest.fixture
def client(raw_settings: dict[str, str]) -> Iterator[TestApp]:
    config = build(raw_settings)
    runtime: Runtime = config.registry.runtime
    yield TestApp(config.make_wsgi_app())
    runtime.close()
