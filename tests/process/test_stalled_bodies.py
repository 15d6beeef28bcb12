"""Clients that begin to send a request body and stop, against the production server.

There is no proxy here. tests/process/deploy/test_nginx.py tests the same with a proxy.
"""

from contextlib import ExitStack

import pytest

from competition.testing.waiting import wait_until
from tests.support.ports import free_port
from tests.support.processes import call, competition, is_healthy, log_in
from tests.support.repository import DEVELOPMENT_INI
from tests.support.stalling import connect, stall

pytestmark = pytest.mark.long

# How many requests stall. Each of them occupies one of the 64 threads of the process.
STALLING = 12
EMAIL, PASSWORD = "ada@school.example", "correct horse battery"
REGISTRATION = {
    "email": EMAIL,
    "password": PASSWORD,
    "password2": PASSWORD,
    **{"first_name": "Ada", "last_name": "Lovelace", "phone": "+4912345678", "school": "S"},
}


def test_a_few_stalled_bodies_block_no_other_request(beside):
    port = free_port()
    url = f"http://127.0.0.1:{port}/v1"
    beside.environment["COMPETITION_PLUGINS"] = "docs accounts verification people"
    beside.environment["COMPETITION_RATELIMIT_ENABLED"] = "false"
    key = beside.succeed(competition("api-key", "create", "x", str(DEVELOPMENT_INI))).split()[-1]
    beside.start(competition("api", str(DEVELOPMENT_INI)), COMPETITION_SERVER_PORT=str(port))
    wait_until(lambda: is_healthy(url))
    assert call("POST", f"{url}/register/candidate/", REGISTRATION, key)[0] == 201
    token = log_in(url, key, EMAIL, PASSWORD)[1]["access"]

    with ExitStack() as stack:
        stalling = []
        for number in range(STALLING):
            connection = stack.enter_context(connect(port))
            # Every third request stalls before a login's password is hashed.
            stall(connection, number, "/v1/auth/login/" if number % 3 == 2 else None, key, token)
            stalling.append(connection)
        assert is_healthy(url)
        assert call("GET", f"{url}/candidates/me/", key=key, token=token)[0] == 200
        assert log_in(url, key, EMAIL, PASSWORD)[0] == 200
        # If the rest of a body arrives after all, the request is processed as usual.
        for connection, rest, status in zip(
            stalling[:2], (b'me": "B"}', b"\r\n0\r\n\r\n"), (b"200", b"400"), strict=True
        ):
            connection.sendall(rest)
            assert connection.recv(12) == b"HTTP/1.1 " + status
    # The clients have closed their connections, so no thread waits for a body.
    assert is_healthy(url)

    # The server doesn't read the rest of a body that is too large, so it closes the connection.
    with connect(port) as connection:
        stall(connection, 0, None, key, token, length=10**9)
        answer = b""
        while more := connection.recv(65536):
            answer += more
        assert answer.startswith(b"HTTP/1.1 4"), answer
