"""Send requests that no client library would send to the production server.

All tests share one process, because starting it takes longer than the requests.
"""

import json
import socket
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from competition.testing.waiting import PATIENCE, wait_until
from tests.support.processes import call, competition, is_healthy, log_in
from tests.support.repository import DEVELOPMENT_INI
from tests.support.stalling import connect, stall

JSON = b"Content-Type: application/json\r\n"
LOGIN = b"/v1/auth/login/"
PASSWORD = "correct horse battery"
# How many requests stall. Each of them occupies one of the 48 threads of the process.
STALLING = 12
BODY = b'{"email": "nobody@school.example", "password": "x"}'


@dataclass
class Raw:
    port: int
    key: str

    def send(self, *pieces: bytes, end: bool = True) -> bytes:
        """Send the pieces, and return all that the server sends until it closes the connection.
        With `end`, close our side after sending.
        """
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            answer = b""
            try:
                for piece in pieces:
                    connection.sendall(piece)
                if end:
                    connection.shutdown(socket.SHUT_WR)
                while chunk := connection.recv(65536):
                    answer += chunk
            except (ConnectionResetError, BrokenPipeError):
                pass
            return answer

    def ask(
        self, line: bytes, headers: bytes = b"", body: bytes = b"", *, host: bytes = b"here"
    ) -> tuple[int, dict[str, str], bytes]:
        """Send one request; return the status, headers and body."""
        named = b"Host: " + host + b"\r\n" if host else b""
        answer = self.send(
            line + b"\r\n" + named + b"X-Api-Key: " + self.key.encode() + b"\r\n"
            b"Connection: close\r\n" + headers + b"\r\n" + body,
            end=False,
        )
        return parsed(answer)


def parsed(answer: bytes) -> tuple[int, dict[str, str], bytes]:
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return int(status.split()[1]), headers, body


def assert_refused(answer: tuple[int, dict[str, str], bytes], status: int, code: str) -> None:
    assert answer[0] == status, answer
    sent = json.loads(answer[2])
    assert sent["code"] == code
    assert set(sent) <= {"detail", "code", "errors", "rules"}


@pytest.fixture(scope="module")
def serving(beside_module):
    """An api process and an API key."""
    port = beside_module.environment["COMPETITION_SERVER_PORT"] = beside_module.environment["PORT"]
    beside_module.environment |= {
        "COMPETITION_PLUGINS": "docs accounts verification questions exams people",
        "COMPETITION_RATELIMIT_ENABLED": "false",
    }
    create = competition("api-key", "create", "raw", str(DEVELOPMENT_INI))
    key = beside_module.succeed(create).split()[-1]
    process = beside_module.start(competition("api", str(DEVELOPMENT_INI)))
    wait_until(lambda: is_healthy(f"http://127.0.0.1:{port}/v1"))
    return Raw(int(port), key), process


@pytest.fixture
def raw(serving):
    """The api and a key. Afterwards, checks that the process is still healthy."""
    raw, process = serving
    yield raw
    assert is_healthy(f"http://127.0.0.1:{raw.port}/v1")
    assert "Traceback" not in process.output, process.output


def length(number: int) -> bytes:
    return b"Content-Length: %d\r\n" % number


def chunks(body: bytes) -> bytes:
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)


CHUNKED = b"Transfer-Encoding: chunked\r\n"


def test_malformed_requests_get_the_right_status(raw):
    for method, status in ((b"POST", 401), (b"BREW", 405), (b"OPTIONS", 204), (b"HEAD", 405)):
        answer = raw.ask(method + b" " + LOGIN + b" HTTP/1.1", JSON + length(len(BODY)), BODY)
        assert answer[0] == status
        assert answer[1].get("allow") == (None if status == 401 else "options, post")

    post = b"POST " + LOGIN + b" HTTP/1.1"
    # The body is longer or shorter than its Content-Length.
    for said, code in (
        (length(0), "invalid"),
        (length(10), "invalid"),
        (length(10**15), "invalid"),
        (length(len(BODY)), "authentication_failed"),
    ):
        assert_refused(raw.ask(post, JSON + said, BODY), 401 if "auth" in code else 400, code)
    assert_refused(raw.ask(post, length(len(BODY)), BODY), 415, "unsupported_media_type")
    assert_refused(raw.ask(post, JSON + CHUNKED, chunks(BODY)), 401, "authentication_failed")
    assert_refused(raw.ask(post, JSON + CHUNKED, chunks(b"{")), 400, "invalid")
    assert_refused(raw.ask(post, JSON + CHUNKED, b"nonsense\r\n" + BODY), 400, "invalid")

    # HTTP/1.0 requires no Host header.
    assert raw.ask(b"GET /v1/health/ HTTP/1.0", host=b"")[0] == 200
    assert_refused(raw.ask(b"GET /v1/nowhere/ HTTP/1.0", host=b""), 404, "not_found")
    assert_refused(raw.ask(b"GET /v1/nowhere/ HTTP/1.1", host=b"<b>\xff"), 404, "not_found")

    assert raw.ask(b"GET http://elsewhere/v1/health HTTP/1.1")[0] == 200
    assert raw.ask(b"GET /v1/health/?" + b"a=%FF&" * 5_000 + b" HTTP/1.1")[0] == 200
    for path in (
        *(b"/v1", b"/v2/health/", b"/v1//health/", b"/v1/./health/"),
        *(b"/v1/HEALTH/", b"/v1/health/%", b"/v1/%2e%2e/health/", b"/v1/%00/", b"/v1/%FF/"),
        b"/v1/" + b"a" * 60_000,
    ):
        assert_refused(raw.ask(b"GET " + path + b" HTTP/1.1"), 404, "not_found")

    # The reply is JSON, whatever the Accept header is.
    for accept in (b"text/html", b"application/json;q=0", b"\xff;q=x,,,", b""):
        header = b"Accept: " + accept + b"\r\n"
        assert_refused(raw.ask(b"GET /v1/nowhere/ HTTP/1.1", header), 404, "not_found")
        assert raw.ask(b"GET /v1/health/ HTTP/1.1", header)[0] == 200

    # The server itself rejects invalid HTTP and endless headers, without a body.
    for line, headers in (
        (post, b"Content-Length: -5\r\n"),
        (post, b"Content-Length: some\r\n"),
        (post, b"Content-Length: 5\r\nContent-Length: 6\r\n"),
        (b"GET /v1/\xff/ HTTP/1.1", b""),
        (b"GET /v1/health/ HTTP/1.1", b"X-More: a\r\n" * 1_000),
        (b"GET /v1/health/?" + b"a" * 1_000_000 + b" HTTP/1.1", b""),
    ):
        answer = raw.send(line + b"\r\nHost: here\r\n" + headers + b"\r\n", end=False)
        assert not answer or parsed(answer)[0] in (400, 414, 431), (line[:50], answer)

    # HTTP/2 is not supported.
    answer = raw.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0", end=False)
    assert not answer or answer.startswith(b"HTTP/1.1 4")


def test_an_incomplete_body_is_rejected(raw):
    """A lost connection is not a server error, so no stack trace is logged."""
    token = register(raw, "ada@school.example")
    own = b"/v1/account-management/"
    form = b"multipart/form-data; boundary=b"
    for method, path, content_type, body in (
        (b"POST", LOGIN, b"application/json", BODY),
        (b"POST", LOGIN, b"application/json", b""),
        (b"PATCH", own, b"application/json", b'{"first_name": "A"}'),
        (b"PATCH", own, form, b"--b\r\n"),
        (b"GET", own, b"application/json", b"{}"),
    ):
        answer = raw.send(
            method + b" " + path + b" HTTP/1.1\r\nHost: here\r\nConnection: close\r\n"
            b"X-Api-Key: " + raw.key.encode() + b"\r\nAuthorization: Bearer " + token + b"\r\n"
            b"Content-Type: " + content_type + b"\r\n" + length(len(body) + 100) + b"\r\n" + body
        )
        if method == b"GET":
            assert parsed(answer)[0] == 200
        else:
            assert_refused(parsed(answer), 400, "invalid")


def register(raw: Raw, email: str) -> bytes:
    """Register a candidate and return their access token."""
    registration = {
        "email": email,
        "password": PASSWORD,
        "password2": PASSWORD,
        **{"first_name": "Ada", "last_name": "Lovelace", "phone": "+4912345678", "school": "S"},
    }
    body = json.dumps(registration).encode()
    for path in (b"/v1/register/candidate/", LOGIN):
        line = b"POST " + path + b" HTTP/1.1"
        status, _, reply = raw.ask(line, JSON + length(len(body)), body)
        assert status in (200, 201), reply
    token: str = json.loads(reply)["access"]
    return token.encode()


def test_a_connection_that_sends_nothing_is_closed(raw):
    with socket.create_connection(("127.0.0.1", raw.port), timeout=PATIENCE) as connection:
        assert connection.recv(1) == b""


def test_a_few_stalled_bodies_block_no_other_request(raw):
    """Clients begin to send a body and stop. There is no proxy here: tests/process/deploy has the
    same test with a proxy.
    """
    port, key, token = raw.port, raw.key, register(raw, "grace@school.example").decode()
    url = f"http://127.0.0.1:{port}/v1"

    with ExitStack() as stack:
        stalling = []
        for number in range(STALLING):
            connection = stack.enter_context(connect(port))
            # Every third request stalls before a login's password is hashed.
            stall(connection, number, "/v1/auth/login/" if number % 3 == 2 else None, key, token)
            stalling.append(connection)
        assert is_healthy(url)
        assert call("GET", f"{url}/candidates/me/", key=key, token=token)[0] == 200
        assert log_in(url, key, "grace@school.example", PASSWORD)[0] == 200
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
