"""Run nginx with the configuration of `deploy/`, in front of a test's processes."""

import socket
import ssl
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx
import trustme

from competition.testing.waiting import PATIENCE, wait_until
from tests.support.ports import free_port
from tests.support.processes import Launcher
from tests.support.programs import NGINX, find
from tests.support.repository import REPOSITORY

DEPLOYED = REPOSITORY / "deploy/nginx"
# The host name in the certificate.
NAME = "league.example"


def runnable(text: str, folder: Path) -> str:
    """The main configuration, with the files of a running nginx in `folder`.

    `user root`, because nginx would otherwise change to a user who can't read a test's folder. If
    the tests don't run as root, nginx ignores `user`.
    """
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    files = "".join(f"    {each}_temp_path {folder}/{each};\n" for each in kinds)
    text = text.replace("user www-data;", "user root;")
    return text.replace("/run/nginx.pid", f"{folder}/pid").replace("http {\n", f"http {{\n{files}")


class Nginx:
    """nginx with the configuration of `deploy/nginx`, but with the ports and the certificate of the
    test.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # Each port in the configuration, mapped to the port that the test uses.
        names = ("443", "80", "6543", "6553", "6544", "6554")
        self.ports = {name: free_port() for name in names}
        self.url = f"https://127.0.0.1:{self.ports['443']}"
        # Sockets of the tests use a port without TLS. The client's threads read and write the same
        # connection, which OpenSSL does not allow: one request in a thousand was never sent.
        self.sockets_port = free_port()
        authority = trustme.CA()
        self.tls = ssl.create_default_context()
        authority.configure_trust(self.tls)
        folder.mkdir()
        certificate = authority.issue_cert(NAME)
        certificate.private_key_pem.write_to_path(folder / "privkey.pem")
        for number, pem in enumerate(certificate.cert_chain_pems):
            pem.write_to_path(folder / "fullchain.pem", append=number > 0)
        text = (DEPLOYED / "competition.conf").read_text()
        for name, port in self.ports.items():
            text = text.replace(f"127.0.0.1:{name} ", f"127.0.0.1:{port} ")
            for end in (";", " ssl;", " ssl http2;"):
                text = text.replace(f"listen {name}{end}", f"listen 127.0.0.1:{port}{end}")
        secure = f"listen 127.0.0.1:{self.ports['443']} ssl http2;"
        assert secure in text
        text = text.replace(secure, f"{secure} listen 127.0.0.1:{self.sockets_port};")
        for name in ("/etc/competition/tls", "/var/log/nginx", "/var/cache/nginx"):
            text = text.replace(name, str(folder))
        (folder / "competition.conf").write_text(text)
        main = runnable((DEPLOYED / "nginx.conf").read_text(), folder)
        main = main.replace("/var/log/nginx", str(folder))
        main = main.replace("/etc/nginx/conf.d/*.conf", str(folder / "competition.conf"))
        (folder / "nginx.conf").write_text(f"daemon off;\n{main}")

    def start(self, launcher: Launcher) -> None:
        command = [find(NGINX), "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]
        launcher.succeed([*command, "-t"])
        launcher.start(command)
        wait_until(self._is_open)

    def _is_open(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.ports["443"])) == 0

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        return self.client.request(method, path, extensions={"sni_hostname": NAME}, **options)

    @cached_property
    def client(self) -> httpx.Client:
        return httpx.Client(
            base_url=self.url, verify=self.tls, headers={"Host": NAME}, timeout=PATIENCE
        )
