"""Stop and start PostgreSQL and Valkey while sockets are open."""

from contextlib import suppress

import pytest
from redis.exceptions import RedisError
from sqlalchemy.exc import DBAPIError

from competition.core.database import ALIVE
from competition.core.users import sessions
from competition.core.work import begin
from competition.embedded.binaries import binaries
from competition.testing.sockets import nothing_came
from competition.testing.waiting import wait_until
from tests.support.sockets import end, refusal, subjects, tell

pytestmark = pytest.mark.long


@pytest.fixture
def sockets(own_servers, sockets_with):
    return sockets_with(
        {
            "competition.database.url": own_servers.addresses.database_url,
            "competition.redis.url": own_servers.addresses.redis_url,
        }
    )


def has_working_connections(service):
    """Whether the pools of database connections work. A pool with broken connections notices that
    here, and replaces them. Disposing of the pool is not enough: a connection that the server is
    using would stay open.
    """
    with suppress(DBAPIError):
        for engine in service.runtime.database.engines:
            with engine.connect() as connection:
                connection.execute(ALIVE)
        return True
    return False


def test_no_push_is_missed_after_a_restart_of_postgresql(sockets, own_servers):
    service = sockets.service
    ada, ben = service.candidate(), service.candidate()
    client, leaving = sockets.open(ada), sockets.open(ben)
    tell(service, ada, subject="before")
    own_servers.postgres.stop()
    wait_until(lambda: not sockets.is_listening())
    own_servers.postgres.start(binaries(own_servers.place))
    wait_until(lambda: has_working_connections(service))
    # The socket process has probably not started to listen again yet.
    tell(service, ada, subject="after")
    with begin(service.runtime) as work:
        sessions.end_all(work, ben.id)
    assert end(leaving) == (4001, "The session has ended.")
    wait_until(sockets.is_listening)
    tell(service, ada, subject="later")
    assert subjects(client, 3) == ["before", "after", "later"]
    nothing_came(client)
    nothing_came(sockets.open(ada))


def counted(service, person):
    """The number of sockets in Redis, or None while Redis is unavailable."""
    with suppress(RedisError):
        return service.runtime.redis.zcard(f"sockets:{person.id}")


def test_sockets_work_after_valkey_restarts_empty(sockets_with, own_servers):
    sockets = sockets_with(
        {
            "competition.redis.url": own_servers.addresses.redis_url,
            "competition.ws.recheck": "2",
        }
    )
    service = sockets.service
    ada = service.candidate()
    clients = [sockets.open(ada) for _ in range(4)]
    own_servers.valkey.stop()
    with pytest.raises(RedisError):
        service.runtime.redis.ping()
    tell(service, ada, subject="without it")
    for client in clients:
        assert subjects(client, 1) == ["without it"]
    clients.append(sockets.open(ada))
    # Without Redis, each process still applies its own limit.
    assert refusal(sockets.open, ada)[0] == 429
    own_servers.valkey.start(binaries(own_servers.place))
    tell(service, ada, subject="with it")
    for client in clients:
        assert subjects(client, 1) == ["with it"]
    # Redis has the number of sockets again.
    wait_until(lambda: counted(service, ada) == 5)
    assert refusal(sockets.open, ada)[0] == 429
