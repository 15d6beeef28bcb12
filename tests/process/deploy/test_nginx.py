"""Run the configuration of `deploy/nginx` in front of real processes that restart under load."""

import re
import shlex
import signal
import socket
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx

from competition.core.errors import ServiceUnavailable
from competition.testing.identity_papers import PNG
from competition.testing.races import together
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.nginx import NAME
from tests.support.processes import competition, is_healthy
from tests.support.programs import CURL, NGINX, needs_program
from tests.support.repository import REPOSITORY
from tests.support.stalling import stall
from tools.bench.files import many_files

pytestmark = needs_program(NGINX)

# The pause between two requests, in seconds. It leaves CPU time for other tests.
PAUSE = 0.01
# How many clients stall: several times the number of threads of an api process.
STALLING = 200
# Two processes with the 768 connections of Debian's nginx.conf would not hold so many.
CONNECTIONS = 2000
LOGIN = "/v1/auth/login/"
FORGED = "203.0.113.7"


class Load:
    """Send requests continuously and count the replies by status."""

    def __init__(self, nginx, methods=("GET", "POST"), path="/v1/health/"):
        self.seen = Counter()
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=[nginx, method, path]) for method in methods
        ]

    def _run(self, nginx, method, path):
        while not self._over.wait(PAUSE):
            try:
                self.seen[nginx.request(method, path, timeout=PATIENCE).status_code] += 1
            except httpx.HTTPError as error:
                self.seen[type(error).__name__] += 1

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        for thread in self._threads:
            thread.join()


def start(beside, port, **settings):
    api = beside.start(
        competition("api"),
        COMPETITION_SERVER_PORT=str(port),
        COMPETITION_RATELIMIT_TRUSTED_PROXIES="127.0.0.0/8",
        **settings,
    )
    wait_until(lambda: is_healthy(f"http://127.0.0.1:{port}/v1"))
    return api


def test_no_request_is_lost_while_apis_restart_one_by_one(beside, nginx):
    ports = nginx.ports
    hsts = {"COMPETITION_BROWSER_HSTS": "60"}
    apis = {port: start(beside, port, **hsts) for port in (ports["6543"], ports["6553"])}
    nginx.start(beside)
    with Load(nginx) as load:
        for port, api in apis.items():
            assert api.end(signal.SIGTERM) == 0
            before = load.seen.total()
            wait_until(lambda before=before: load.seen.total() > before + 50)
            if port == ports["6543"]:
                start(beside, port, **hsts)
    # The replies of a running api to GET and POST.
    assert set(load.seen) == {200, 405}, (nginx.folder / "error.log").read_text()

    for path in ("/v1/metrics/", "/v1/metrics", "/v1//metrics", "/v1/%6detrics"):
        hidden = nginx.request("GET", path)
        assert hidden.status_code == 404 and "nginx" in hidden.text, path
        assert hidden.headers["Strict-Transport-Security"] == "max-age=31536000"
    # No socket server listens there.
    assert nginx.request("GET", "/v1/ws/notifications/?ticket=secret").status_code == 502
    headers = nginx.request("GET", "/v1/health/").headers.get_list("Strict-Transport-Security")
    assert headers == ["max-age=31536000"]
    log = nginx.folder / "competition.log"
    # nginx sends the reply first, and then writes the line into the log.
    wait_until(lambda: "/v1/ws/notifications/" in log.read_text())
    assert "secret" not in log.read_text()
    url = f"http://127.0.0.1:{ports['80']}/v1/health/"
    insecure = httpx.get(url, headers={"Host": NAME}, timeout=PATIENCE)
    assert insecure.headers["Location"] == f"https://{NAME}/v1/health/"


def test_the_proxy_holds_connections_for_a_whole_league(beside, nginx):
    many_files()
    nginx.start(beside)
    with ExitStack() as stack:
        address = ("127.0.0.1", nginx.ports["80"])
        for _ in range(CONNECTIONS):
            each = stack.enter_context(socket.create_connection(address, PATIENCE))
            # nginx may close connections that have sent nothing, to make room for others.
            each.sendall(b"GET / HTTP/1.1\r\n")
        reply = httpx.get(f"http://127.0.0.1:{nginx.ports['80']}/", timeout=PATIENCE)
    assert reply.status_code == 301
    assert "worker_connections" not in (nginx.folder / "error.log").read_text()


def wait_for_the_unit(beside, kind, port):
    """Wait for a process in the way in which systemd does."""
    unit = (REPOSITORY / f"deploy/systemd/competition-{kind}@.service").read_text()
    [command] = re.findall(r"^ExecStartPost=(.*)$", unit, re.MULTILINE)
    # The unit gives up after a minute. The machine of a test may need longer.
    assert "--retry 60 " in command
    command = command.replace("--retry 60 ", f"--retry {PATIENCE} ")
    beside.succeed(shlex.split(command.replace("%i", str(port))), timeout=2 * PATIENCE)


@needs_program(CURL)
def test_clients_can_connect_while_socket_processes_restart_one_by_one(beside, nginx):
    ports = [nginx.ports["6544"], nginx.ports["6554"]]

    def start_ws(port):
        process = beside.start(competition("ws"), COMPETITION_WS_PORT=str(port))
        wait_for_the_unit(beside, "ws", port)
        assert is_healthy(f"http://127.0.0.1:{port}/v1")
        return process

    sockets = [start_ws(port) for port in ports]
    nginx.start(beside)
    with Load(nginx, ["GET"], "/v1/ws/notifications/") as load:
        for port, process in zip(ports, sockets, strict=True):
            assert process.end(signal.SIGTERM) == 0
            start_ws(port)
            before = load.seen.total()
            wait_until(lambda before=before: load.seen.total() > before + 50)
    # Each request reaches a process, which rejects it because it has no API key.
    assert set(load.seen) == {401}


@needs_program(CURL)
def test_stalled_bodies_wait_in_the_proxy(beside, nginx):
    """The api counts as started when it responds."""
    configuration = nginx.folder / "competition.conf"
    text = configuration.read_text()
    # With this timeout, nginx closes the first body only after all replies have arrived.
    assert "client_body_timeout 15s;" in text
    configuration.write_text(text.replace("client_body_timeout 15s;", "client_body_timeout 1h;"))
    port = nginx.ports["6543"]
    beside.start(
        competition("api"),
        COMPETITION_SERVER_PORT=str(port),
        COMPETITION_RATELIMIT_TRUSTED_PROXIES="127.0.0.0/8",
        COMPETITION_PLUGINS="accounts docs",
    )
    wait_for_the_unit(beside, "api", port)
    assert is_healthy(f"http://127.0.0.1:{port}/v1")
    nginx.start(beside)
    with ExitStack() as stack:
        for number in range(STALLING):
            plain = socket.create_connection(("127.0.0.1", int(nginx.ports["443"])), PATIENCE)
            secure = nginx.tls.wrap_socket(plain, server_hostname=NAME)
            stall(stack.enter_context(secure), number, LOGIN, "any", "any", host=NAME)
        assert nginx.request("GET", "/v1/health/", timeout=PATIENCE).status_code == 200


def test_the_proxy_requests_an_image_once(fleet, on_live, nginx):
    moderator = fleet.service.staff("moderator")
    image = moderator.upload(
        "POST", "/questions/images/", {"file": ("figure.png", PNG), "alt": "A circle"}
    ).json
    path = image["url"].partition(fleet.service.runtime.public_url)[2]
    api, _ = fleet.start_api(
        nginx.ports["6543"],
        COMPETITION_SERVER_ACCESS_LOG="true",
        COMPETITION_RATELIMIT_TRUSTED_PROXIES="127.0.0.0/8",
        COMPETITION_STORAGE_FOLDER=str(fleet.service.file_folder),
    )
    nginx.start(on_live)
    replies = together(20, lambda nth: nginx.request("GET", f"{path}?{nth}"))
    assert {(reply.status_code, reply.content) for reply in replies} == {
        (200, moderator.get(path.removeprefix("/v1")).body)
    }
    headers = replies[0].headers
    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    same = nginx.request("GET", path, headers={"If-None-Match": headers["ETag"]})
    assert (same.status_code, same.content) == (304, b"")
    head = nginx.request("HEAD", path)
    assert head.headers["Content-Length"] == headers["Content-Length"]
    # Errors are not cached.
    for _ in range(2):
        assert nginx.request("GET", "/v1/images/nothing.png/").status_code == 404
    wait_until(lambda: api.output.count("/v1/images/nothing.png/") == 2)
    assert api.output.count(path) == 1
    api.end(signal.SIGTERM)
    assert nginx.request("GET", path).status_code == 200


def test_the_proxy_limits_connections_closes_silent_ones_and_states_the_real_address(beside, nginx):
    configuration = nginx.folder / "competition.conf"
    text = configuration.read_text()
    for old, new in (
        ("limit_conn competition_connections 2000;", "limit_conn competition_connections 3;"),
        ("client_header_timeout 15s;", "client_header_timeout 1s;"),
    ):
        assert old in text
        text = text.replace(old, new)
    configuration.write_text(text)
    api = start(beside, nginx.ports["6543"], COMPETITION_SERVER_ACCESS_LOG="true")
    nginx.start(beside)
    with ExitStack() as stack:
        for number in range(3):
            plain = socket.create_connection(("127.0.0.1", int(nginx.ports["443"])), PATIENCE)
            secure = nginx.tls.wrap_socket(plain, server_hostname=NAME)
            stall(stack.enter_context(secure), number, LOGIN, "any", "any", host=NAME)
        wait_until(lambda: nginx.request("GET", "/v1/health/").status_code == 429)
        refusal = nginx.request("GET", "/v1/health/")
        assert refusal.json()["code"] == "throttle_exceeded"
        assert refusal.headers["Retry-After"] == "10"
    wait_until(lambda: nginx.request("GET", "/v1/health/").status_code == 200)
    for port in ("80", "443"):
        with socket.create_connection(("127.0.0.1", int(nginx.ports[port])), PATIENCE) as silent:
            assert silent.recv(1) == b""
    # WSGI maps X-Forwarded-For and X_Forwarded_For to the same variable.
    for name in ("X-Forwarded-For", "X_Forwarded_For", "X-Forwarded_For"):
        nginx.request("GET", "/v1/nowhere/", headers={name: FORGED})
    wait_until(lambda: api.output.count("/v1/nowhere/") == 3)
    assert FORGED not in api.output


def test_the_proxy_answers_what_no_api_can_take(on_empty, nginx):
    """At most `max_conns` requests wait for an api."""
    configuration = nginx.folder / "competition.conf"
    text = configuration.read_text()
    assert text.count(" max_conns=500;") == 2
    configuration.write_text(text.replace(" max_conns=500;", " max_conns=1;"))
    with ExitStack() as stack:
        apis = [
            stack.enter_context(socket.create_server(("127.0.0.1", nginx.ports[name])))
            for name in ("6543", "6553")
        ]
        pool = stack.enter_context(ThreadPoolExecutor())
        nginx.start(on_empty)
        waiting = [pool.submit(nginx.request, "POST", LOGIN, json={}) for _ in apis]
        accepted = [api.accept()[0] for api in apis]
        refused = nginx.request("POST", LOGIN, json={})
        assert refused.status_code == 503 and refused.headers["Retry-After"] == "5"
        assert refused.json() == {
            "detail": str(ServiceUnavailable.detail),
            "code": ServiceUnavailable.code,
        }
        # Here an api may have done what the request asks for.
        for connection in accepted:
            assert connection.recv(1)
            connection.close()
        assert [each.result().status_code for each in waiting] == [502, 502]
