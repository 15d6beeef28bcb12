import shutil
import subprocess
from signal import SIGINT

import psycopg
from psycopg.conninfo import make_conninfo

from competition.embedded.binaries import Binaries
from competition.embedded.child import as_owner
from competition.embedded.errors import ServerFailed
from competition.embedded.place import DATABASE, Place
from competition.embedded.server import Server


class Postgres(Server):
    """The embedded PostgreSQL."""

    def __init__(self, place: Place, *, durable: bool) -> None:
        self.data = place.home / "postgres"
        super().__init__(
            "postgres",
            place,
            durable=durable,
            data_option=("-D", str(self.data)),
            pid_files=(self.data / "postmaster.pid", place.sockets / ".s.PGSQL.5432.lock"),
            stop_signal=SIGINT,
        )

    def prepare(self, binaries: Binaries) -> list[str]:
        if not self.data.exists():
            self._create_cluster(binaries)
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.place.sockets),
            "unix_socket_permissions": "0700",
            "port": "5432",  # part of the socket's name
            "max_connections": "200",
            "shared_buffers": "128MB",
            "jit": "off",  # compiling takes longer than the queries of a web service
            "timezone": "UTC",
            "log_timezone": "UTC",
            "log_checkpoints": "off",
            "lc_messages": "C",
        }
        if not self.durable:
            settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        options = (f"--{name}={value}" for name, value in settings.items())
        return [str(binaries.postgres), *self.data_option, *options]

    def is_ready(self, pid: int) -> bool:
        """Whether PostgreSQL is ready, checked in the same way as pg_ctl: the first line of
        postmaster.pid is the pid, and the eighth line is the state."""
        try:
            status = self.pid_files[0].read_text().splitlines()
        except FileNotFoundError:
            return False
        return status[:1] == [str(pid)] and [line.strip() for line in status[7:8]] == ["ready"]

    def can_retry(self, end_of_log: str) -> bool:
        """Whether the start failed because children of a killed server still run. They end a moment
        later."""
        return "is still in use" in end_of_log

    def create_database(self) -> None:
        where = make_conninfo(host=str(self.place.sockets), port=5432, user=self.place.role)
        with psycopg.connect(where, dbname="postgres", autocommit=True) as connection:
            known = connection.execute("SELECT datname FROM pg_database").fetchall()
            if (DATABASE,) not in known:
                connection.execute(f"CREATE DATABASE {DATABASE}")

    def _create_cluster(self, binaries: Binaries) -> None:
        unfinished = self.data.with_suffix(".new")
        if unfinished.exists():
            shutil.rmtree(unfinished)
        options = [
            f"--pgdata={unfinished}",
            f"--username={self.place.role}",
            # The kernel states the user id of the client, so other users can't connect even if they
            # have access to the socket.
            "--auth-local=peer",
            "--auth-host=reject",
            "--encoding=UTF8",
            "--no-locale",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
        ]
        if not self.durable:
            options.append("--no-sync")
        command = [str(binaries.initdb), *options]
        initdb = subprocess.run(command, capture_output=True, text=True, **as_owner(self.place))
        if initdb.returncode != 0:
            raise ServerFailed("initdb could not create a cluster", initdb.stdout + initdb.stderr)
        unfinished.rename(self.data)
