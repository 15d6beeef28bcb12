"""What the server makes of requests and replies, in a process of its own."""

import json
import sys
from contextlib import ExitStack, closing
from hashlib import sha256
from http.client import HTTPConnection
from socket import create_connection

import pytest

from competition.testing.waiting import PATIENCE, wait_until
from tests.support.gateway import LARGEST
from tests.support.ports import free_port
from tests.support.processes import Launcher, environment

# More than the buffers of a connection hold.
CONTENT = bytes(range(256)) * 80_000


class Asking:
    """Each request has a connection of its own."""

    def __init__(self, port):
        self.port = port

    def __call__(self, method="GET", path="/", body=None, headers=()):
        """The status, and the content: of JSON what it says."""
        with closing(self.begin(method, path, body, headers)) as connection:
            reply = connection.getresponse()
            content = reply.read()
            return reply.status, content if path == "/file" else json.loads(content or "null")

    def begin(self, method, path, body=None, headers=()):
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.putrequest(method, path)
        for name, value in headers:
            connection.putheader(name, value)
        is_chunked = ("Transfer-Encoding", "chunked") in headers
        connection.endheaders(body, encode_chunked=is_chunked)
        return connection

    def answers(self):
        try:
            return self()[0] == 200
        except OSError:
            return False


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gateway")
    (folder / "file").write_bytes(CONTENT)
    asking = Asking(free_port())
    launcher = Launcher(folder, environment(folder / "var"))
    program = [sys.executable, "-m", "tests.support.gateway"]
    launcher.start([*program, str(asking.port), str(folder / "file")])
    wait_until(asking.answers)
    yield asking
    launcher.end_all()


def test_the_environment_is_that_of_wsgi(ask):
    headers = [("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-For", "192.0.2.2")]
    headers += [("X_Forwarded_For", "192.0.2.3")]
    told = ask("GET", "/caf%C3%A9%2Fa?b=%20&c", headers=headers)[1]
    assert told["PATH_INFO"] == "/café/a".encode().decode("latin-1")
    assert told["QUERY_STRING"] == "b=%20&c"
    assert told["HTTP_X_FORWARDED_FOR"] == "192.0.2.1,192.0.2.2"
    assert (told["REQUEST_METHOD"], told["REMOTE_ADDR"]) == ("GET", "127.0.0.1")
    assert told["SERVER_PROTOCOL"] == "HTTP/1.1"
    assert "CONTENT_LENGTH" not in told and told["length"] == 0


@pytest.mark.parametrize("size", [0, 1, 1000, LARGEST])
def test_a_body_arrives_whole(ask, size):
    sent = CONTENT[:size]
    for headers, body in (
        ([("Content-Length", str(size))], sent),
        ([("Transfer-Encoding", "chunked")], iter([sent[:9], sent[9:]])),
    ):
        told = ask("POST", "/", body, headers)[1]
        assert (told["length"], told["sha256"]) == (size, sha256(sent).hexdigest())


def test_of_one_that_is_too_large_no_more_is_read_than_shows_it(ask):
    # Whatever came behind it would meet a connection that is closed.
    too_large = b"%x\r\n%s" % (LARGEST + 1, CONTENT[: LARGEST + 1])
    for kind in ("application/json", "multipart/form-data; boundary=b"):
        headers = [("Transfer-Encoding", "chunked"), ("Content-Type", kind)]
        with closing(ask.begin("POST", "/", None, headers)) as connection:
            connection.send(too_large)
            assert json.load(connection.getresponse())["length"] == LARGEST + 1
        announced = [("Content-Length", str(LARGEST + 1)), ("Content-Type", kind)]
        told = ask("POST", "/", b"", announced)[1]
        assert (told["length"], told["CONTENT_LENGTH"]) == (0, str(LARGEST + 1))


def test_connections_of_bodies_that_stop_are_closed(ask):
    """Given up all at once, many are answered before what waits for their rest is gone, and what
    refers to them may stay for long."""
    beginnings = ("Content-Length: 9\r\n\r\na bo", "Transfer-Encoding: chunked\r\n\r\n9\r\na")
    for _ in range(3):
        with ExitStack() as stack:
            stopped = []
            for beginning in beginnings * 20:
                connection = create_connection(("127.0.0.1", ask.port), PATIENCE)
                stopped.append(stack.enter_context(connection))
                connection.sendall(f"POST /refers/ HTTP/1.1\r\nHost: here\r\n{beginning}".encode())
            for connection in stopped:
                answer = b""
                while more := connection.recv(65536):
                    answer += more
                assert answer.startswith(b"HTTP/1.1 200") and b"connection: close" in answer


def test_a_mistake_of_the_application_is_a_500_and_no_end(ask):
    assert ask("GET", "/mistake")[0] == 500
    for path in ("/mistake", "/mistake/aside/"):
        assert ask("POST", path, b"x", [("Content-Length", "1")])[0] == 500
    assert ask.answers()


def test_files_are_sent_and_clients_that_do_not_read_hold_up_nobody(ask):
    assert ask("GET", "/file")[1] == CONTENT
    assert ask("GET", "/file", headers=[("Range", "bytes=5-9")])[1] == CONTENT[5:10]
    with ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(closing(ask.begin("GET", "/file")))
        assert ask.answers()


def test_what_is_answered_aside_holds_up_nothing_else(ask):
    """More of it than there are threads, with and without a body and a slash."""
    with ExitStack() as stack:
        waiting = [
            stack.enter_context(closing(ask.begin("POST", path, sent, headers)))
            for path in ("/wait/", "/wait")
            for sent, headers in ((b"", []), (b"a body", [("Content-Length", "6")]))
        ]
        assert all(ask.answers() for _ in range(8))
        assert ask("GET", "/release")[0] == 200
        lengths = [json.load(each.getresponse())["length"] for each in waiting]
    assert lengths == [0, 6, 0, 6]
