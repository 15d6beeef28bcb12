"""One real S3 server for all tests of a process."""

from collections.abc import Callable, Iterator

import pytest

from competition.core.settings import Secret
from competition.core.storage.contract import StorageSettings
from competition.core.storage.s3 import S3Storage
from tests.support.s3 import ACCESS_KEY, BUCKET, SECRET_KEY, S3Server

MakeStorage = Callable[..., S3Storage]


@pytest.fixture(scope="session")
def s3_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    with S3Server(tmp_path_factory.mktemp("s3")) as server:
        yield server


@pytest.fixture(scope="session")
def s3_storage() -> MakeStorage:
    """``s3_storage(url, s3_prefix="league/")``: a storage on that server, with changed settings."""

    def make(url: str, **changes: object) -> S3Storage:
        values = {
            "s3_bucket": BUCKET,
            "s3_endpoint_url": url,
            "s3_access_key": ACCESS_KEY,
            "s3_secret_key": Secret(SECRET_KEY),
            "s3_timeout": 5.0,
            **changes,
        }
        return S3Storage(StorageSettings(**values))  # type: ignore[arg-type]

    return make
