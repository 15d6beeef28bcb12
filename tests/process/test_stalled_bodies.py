"""Clients that begin to send a body and stop, against the server that is run in production."""

import socket
from contextlib import ExitStack

from competition.testing.waiting import PATIENCE, wait_until
from tests.support.ports import free_port
from tests.support.processes import call, competition, is_healthy, log_in
from tests.support.repository import DEVELOPMENT_INI

# The api has four threads, in one process.
STALLING = 40
EMAIL, PASSWORD = "ada@school.example", "correct horse battery"
REGISTRATION = {
    "email": EMAIL,
    "password": PASSWORD,
    "password2": PASSWORD,
    **{"first_name": "Ada", "last_name": "Lovelace", "phone": "+4912345678", "school": "S"},
}


def test_bodies_that_stall_hold_up_nobody_and_end(beside):
    beside.environment["COMPETITION_PLUGINS"] = "docs accounts verification people"
    beside.environment["COMPETITION_RATELIMIT_ENABLED"] = "false"
    key = beside.succeed(competition("api-key", "create", "x", str(DEVELOPMENT_INI))).split()[-1]
    patient, hasty = start(beside, "3600"), start(beside, "0.1")
    url = f"http://127.0.0.1:{patient}/v1"
    assert call("POST", f"{url}/register/candidate/", REGISTRATION, key)[0] == 201
    token = log_in(url, key, EMAIL, PASSWORD)[1]["access"]

    with ExitStack() as stack:
        waiting = [stack.enter_context(stall(patient, key, token, n)) for n in range(STALLING)]
        assert is_healthy(url)
        assert call("GET", f"{url}/candidates/me/", key=key, token=token)[0] == 200
        # One whose rest comes after all is answered like any other.
        for connection, rest, status in zip(
            waiting[:2], (b'me": "B"}', b"\r\n0\r\n\r\n"), (b"200", b"400"), strict=True
        ):
            connection.sendall(rest)
            assert connection.recv(12) == b"HTTP/1.1 " + status

    with ExitStack() as stack:
        ending = [stack.enter_context(stall(hasty, key, token, n)) for n in range(STALLING)]
        for connection in ending:
            answer = to_the_end(connection)
            assert answer.startswith(b"HTTP/1.1 400 "), answer
            assert b'"code":"invalid"' in answer
            assert b"\r\nconnection: close\r\n" in answer

    # What is too long is not read: so no other request can follow it.
    with stall(patient, key, token, 0, length=10**9) as connection:
        answer = to_the_end(connection)
        assert answer.startswith(b"HTTP/1.1 4") and b"\r\nconnection: close\r\n" in answer, answer


def to_the_end(connection):
    answer = b""
    while more := connection.recv(65536):
        answer += more
    return answer


def start(beside, seconds):
    port = free_port()
    beside.start(
        competition("api", str(DEVELOPMENT_INI)),
        COMPETITION_SERVER_PORT=str(port),
        COMPETITION_SERVER_BODY_TIMEOUT=seconds,
    )
    wait_until(lambda: is_healthy(f"http://127.0.0.1:{port}/v1"))
    return port


def stall(port, key, token, number, length=19):
    """A body in JSON, or as a form in chunks, that stops before its end."""
    kinds = (
        (f"Content-Type: application/json\r\nContent-Length: {length}", '{"first_na'),
        (
            "Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked",
            "7\r\n--b\r\nCo",
        ),
    )
    headers, beginning = kinds[number % 2]
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    connection.sendall(
        f"PATCH /v1/account-management/ HTTP/1.1\r\nHost: here\r\nX-Api-Key: {key}\r\n"
        f"Authorization: Bearer {token}\r\n{headers}\r\n\r\n{beginning}".encode()
    )
    return connection
