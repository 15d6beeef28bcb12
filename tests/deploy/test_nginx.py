"""`deploy/nginx` in front of real processes, each of which restarts under load."""

import signal
import socket
import ssl
import threading
from collections import Counter

import httpx
import pytest
import trustme

from competition.testing.waiting import wait_until
from tests.support.ports import free_port
from tests.support.processes import competition, is_healthy
from tests.support.programs import NGINX, find, needs_program
from tests.support.repository import REPOSITORY

pytestmark = needs_program(NGINX)

CONFIGURATION = REPOSITORY / "deploy/nginx/competition.conf"
NAME = "league.example"
# Between two requests: the load of a few clients, on a machine that has more to do.
PAUSE = 0.01
AROUND = """\
daemon off;
pid {here}/pid;
error_log {here}/error.log;
events {{}}
http {{
    client_body_temp_path {here}/body;
    proxy_temp_path {here}/proxy;
    fastcgi_temp_path {here}/fastcgi;
    uwsgi_temp_path {here}/uwsgi;
    scgi_temp_path {here}/scgi;
    include {here}/competition.conf;
}}
"""


@pytest.fixture
def ports():
    """Those that the configuration has, and the ones that they are here."""
    names = ("443", "80", "6543", "6553", "6544", "6554")
    return {name: free_port() for name in names}


@pytest.fixture
def authority():
    return trustme.CA()


@pytest.fixture
def nginx(beside, ports, authority, tmp_path):
    here = tmp_path / "nginx"
    here.mkdir()
    certificate = authority.issue_cert(NAME)
    certificate.private_key_pem.write_to_path(here / "privkey.pem")
    for number, pem in enumerate(certificate.cert_chain_pems):
        pem.write_to_path(here / "fullchain.pem", append=number > 0)
    text = CONFIGURATION.read_text()
    for name, port in ports.items():
        text = text.replace(f"127.0.0.1:{name} ", f"127.0.0.1:{port} ")
        for end in (";", " ssl;"):
            text = text.replace(f"listen {name}{end}", f"listen 127.0.0.1:{port}{end}")
    for name in ("/etc/competition/tls", "/var/log/nginx"):
        text = text.replace(name, str(here))
    (here / "competition.conf").write_text(text)
    (here / "nginx.conf").write_text(AROUND.format(here=here))
    command = [find(NGINX), "-p", str(here), "-c", str(here / "nginx.conf")]
    beside.succeed([*command, "-t"])
    return lambda: beside.start(command)


@pytest.fixture
def client(ports, authority):
    context = ssl.create_default_context()
    authority.configure_trust(context)
    base = f"https://127.0.0.1:{ports['443']}"
    with httpx.Client(base_url=base, verify=context, headers={"Host": NAME}) as client:
        client.extensions = {"sni_hostname": NAME}
        yield client


def ask(client, method, path, **options):
    return client.request(method, path, extensions={"sni_hostname": NAME}, **options)


class Load:
    """Asks on and on; counts what came back."""

    def __init__(self, client):
        self.seen = Counter()
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=[client, method]) for method in ("GET", "POST")
        ]

    def _run(self, client, method):
        while not self._over.wait(PAUSE):
            try:
                self.seen[ask(client, method, "/v1/health/", timeout=30).status_code] += 1
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


def test_no_request_is_lost_when_one_api_restarts_after_the_other(
    beside,
    nginx,
    client,
    ports,
):
    def start(port):
        api = beside.start(
            competition("api"),
            COMPETITION_SERVER_PORT=str(port),
            COMPETITION_RATELIMIT_TRUSTED_PROXIES="127.0.0.0/8",
        )
        wait_until(lambda: is_healthy(f"http://127.0.0.1:{port}/v1"))
        return api

    apis = {port: start(port) for port in (ports["6543"], ports["6553"])}
    nginx()
    wait_until(lambda: is_open(ports["443"]))
    with Load(client) as load:
        for port, api in apis.items():
            assert api.end(signal.SIGTERM) == 0
            before = load.seen.total()
            wait_until(lambda before=before: load.seen.total() > before + 50)
            if port == ports["6543"]:
                start(port)
    # GET and POST: what an api says of either.
    assert set(load.seen) == {200, 405}, (beside.folder / "nginx/error.log").read_text()

    assert ask(client, "GET", "/v1/metrics/").status_code == 404
    # Nobody listens there.
    assert ask(client, "GET", "/v1/ws/notifications/?ticket=secret").status_code == 502
    log = (beside.folder / "nginx/competition.log").read_text()
    assert "/v1/ws/notifications/" in log and "secret" not in log
    insecure = httpx.get(f"http://127.0.0.1:{ports['80']}/v1/health/", headers={"Host": NAME})
    assert insecure.headers["Location"] == f"https://{NAME}/v1/health/"


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
