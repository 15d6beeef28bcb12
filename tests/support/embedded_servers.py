"""Embedded servers that a test starts itself, and helpers for their data."""

import os
import sys
from pathlib import Path

import psycopg
import pytest
import redis

from competition.embedded import Addresses
from competition.embedded.place import locate

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives the servers to a user")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


def database(addresses: Addresses) -> "psycopg.Connection[tuple[object, ...]]":
    url = addresses.database_url.replace("postgresql+psycopg", "postgresql")
    return psycopg.connect(url, autocommit=True)


def broker(addresses: Addresses) -> redis.Redis:
    return redis.Redis.from_url(addresses.redis_url)


def write(addresses: Addresses) -> None:
    with database(addresses) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    with broker(addresses) as client:
        client.set("kept", 42)


def assert_written(addresses: Addresses) -> None:
    with database(addresses) as connection:
        assert connection.execute("SELECT answer FROM kept").fetchall() == [(42,)]
    with broker(addresses) as client:
        assert client.get("kept") == b"42"


def server_pids(var: Path) -> list[int]:
    home = locate(var).home
    files = (home / "postgres/postmaster.pid", home / "valkey.pid")
    return [int(file.read_text().split()[0]) for file in files]
