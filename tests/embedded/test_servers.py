import os
import pwd
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from math import inf
from pathlib import Path
from types import SimpleNamespace

import pytest

from competition.embedded import AlreadyRunning, ServerFailed, Servers
from competition.embedded.place import locate
from competition.embedded.valkey import Valkey
from competition.testing.waiting import wait_until
from tests.support.embedded_servers import (
    assert_written,
    broker,
    database,
    on_linux,
    server_pids,
    write,
)
from tests.support.processes import is_gone

# Each test starts servers, and almost each its own.
pytestmark = pytest.mark.long

Launch = Callable[..., subprocess.Popen[str]]


@pytest.fixture(scope="module")
def running_var(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    var = tmp_path_factory.mktemp("running") / "var"
    yield var
    Servers(var).erase()


@pytest.fixture(scope="module")
def cluster(running_var: Path) -> Path:
    """The data of a new PostgreSQL, because creating it takes longer than most tests."""
    with Servers(running_var, durable=False):
        pass
    return Path(
        shutil.copytree(locate(running_var).home / "postgres", running_var.parent / "postgres")
    )


@pytest.fixture(scope="module")
def running(running_var: Path, cluster: Path) -> Iterator[Servers]:
    """Running servers, for the tests that harm neither them nor their data."""
    with Servers(running_var, durable=False) as servers:
        yield servers


@pytest.fixture
def var(make_var: Callable[..., Path], cluster: Path) -> Path:
    """A folder whose servers have a new PostgreSQL cluster, a copy, and have not run yet."""
    var = make_var()
    place = locate(var)
    var.mkdir()
    place.create()
    data = Path(shutil.copytree(cluster, place.home / "postgres"))
    for path in (data, *data.rglob("*")):
        os.chown(path, place.owner.pw_uid, place.owner.pw_gid)
    return var


def test_the_database_uses_utf_8_and_utc(running: Servers) -> None:
    with database(running.addresses) as connection:
        row = connection.execute("SELECT lower('ÉMILE'), 'Émile' ILIKE 'émile'").fetchone()
        assert row == ("émile", True)
        assert connection.execute("SHOW timezone").fetchone() == ("UTC",)
        assert connection.execute("SHOW server_encoding").fetchone() == ("UTF8",)


def assert_durable(servers: Servers, durable: bool) -> None:
    with database(servers.addresses) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            answer = "on" if durable else "off"
            assert connection.execute(f"SHOW {setting}").fetchone() == (answer,)
    with broker(servers.addresses) as client:
        yes_or_no = "yes" if durable else "no"
        assert client.config_get("appendonly") == {"appendonly": yes_or_no}
        assert client.config_get("save") == {"save": ""}


def test_a_caller_can_do_without_durable_data(running: Servers) -> None:
    assert_durable(running, False)


def test_sixty_test_workers_can_connect(running: Servers) -> None:
    with ExitStack() as connections:
        for _ in range(60):
            connections.enter_context(database(running.addresses))
        clone = connections.enter_context(database(running.addresses))
        clone.execute("CREATE DATABASE template_of_tests")
        clone.execute("CREATE DATABASE of_a_test TEMPLATE template_of_tests")
        client = connections.enter_context(broker(running.addresses))
        client.execute_command("SELECT", 255)


def test_data_is_durable_and_survives_a_restart_and_stop_may_be_repeated(var: Path) -> None:
    servers = Servers(var)
    servers.stop()
    servers.start()
    assert_durable(servers, True)
    write(servers.addresses)
    servers.stop()
    servers.stop()
    assert servers.ended() == {}

    servers.start()
    assert_written(servers.addresses)
    servers.stop()


def test_two_checkouts_run_at_once_in_long_paths(make_var: Callable[..., Path]) -> None:
    deep = "/".join(["a-rather-long-name"] * 9)
    one, two = make_var(f"{deep}/one/var"), make_var(f"{deep}/two/var")
    assert len(str(one)) > 150

    with Servers(one, durable=False) as first, Servers(two, durable=False) as second:
        write(first.addresses)
        write(second.addresses)
        assert_written(first.addresses)
        assert_written(second.addresses)


def test_a_path_may_have_any_character(make_var: Callable[..., Path]) -> None:
    with Servers(make_var("a b'\"é,%,$x/var"), durable=False) as servers:
        write(servers.addresses)
        assert_written(servers.addresses)


def test_a_second_start_reports_the_running_process_and_its_folder(
    var: Path, launch: Launch
) -> None:
    launcher = launch(var)
    servers = Servers(var)

    with pytest.raises(AlreadyRunning) as refusal:
        servers.start()
    assert refusal.value.pid == launcher.pid
    assert str(launcher.pid) in str(refusal.value)
    assert str(var) in str(refusal.value)
    servers.stop()
    write(servers.addresses)


def test_starting_twice_leaves_the_first_start_alone(running: Servers) -> None:
    with pytest.raises(AlreadyRunning, match=str(os.getpid())):
        running.start()
    write(running.addresses)


def test_erase_removes_all_data(var: Path) -> None:
    with Servers(var, durable=False) as servers:
        servers.erase()

    assert not locate(var).home.exists()
    assert not locate(var).sockets.exists()


def test_a_server_that_ended_unexpectedly_is_named(var: Path) -> None:
    with Servers(var, durable=False) as servers:
        for index, name in enumerate(("postgres", "valkey")):
            assert servers.ended() == {}
            os.kill(server_pids(var)[index], signal.SIGKILL)
            wait_until(servers.ended)
            assert servers.ended() == {name: -signal.SIGKILL}
            servers.restart(name)
            assert servers.ended() == {}


def test_a_hanging_server_is_killed_and_keeps_its_data(
    var: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = Servers(var)
    servers.start()
    write(servers.addresses)
    pids = server_pids(var)
    with broker(servers.addresses) as client:
        client.execute_command("WAITAOF", 1, 0, 0)
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    monkeypatch.setattr("competition.embedded.server.START_TIMEOUT", 0)
    servers.stop()
    monkeypatch.undo()
    assert all(map(is_gone, pids))

    with servers:
        assert_written(servers.addresses)


def test_a_server_that_takes_too_long_to_start_is_an_error(
    var: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = Servers(var, durable=False)

    def is_ready(valkey: Valkey, pid: int) -> bool:
        # Let the clock jump far ahead, so that the start of Valkey times out. PostgreSQL has
        # started before.
        at_last = SimpleNamespace(monotonic=lambda: inf)
        monkeypatch.setattr("competition.embedded.server.time", at_last)
        return False

    monkeypatch.setattr(Valkey, "is_ready", is_ready)

    with pytest.raises(ServerFailed, match="valkey is still not ready"):
        servers.start()
    assert not (locate(var).home / "postgres" / "postmaster.pid").exists()


def test_data_survives_a_sigkill_of_everything(var: Path, launch: Launch) -> None:
    launcher = launch(var)
    servers = Servers(var)
    write(servers.addresses)
    for pid in (launcher.pid, *server_pids(var)):
        os.kill(pid, signal.SIGKILL)
    launcher.wait()

    with servers:
        assert_written(servers.addresses)


def test_a_start_waits_for_processes_of_a_killed_server(var: Path, launch: Launch) -> None:
    launcher = launch(var)
    servers = Servers(var)
    write(servers.addresses)
    client = database(servers.addresses)
    backend = client.info.backend_pid
    os.kill(backend, signal.SIGSTOP)
    for pid in (launcher.pid, *server_pids(var)):
        os.kill(pid, signal.SIGKILL)
    launcher.wait()

    log = locate(var).home / "postgres.log"

    def is_in_the_way() -> bool:
        # Each attempt starts a new log, and for a moment there is no file.
        with suppress(FileNotFoundError):
            return "is still in use" in log.read_text()
        return False

    def release_once_it_was_in_the_way() -> None:
        wait_until(is_in_the_way)
        os.kill(backend, signal.SIGCONT)

    release = threading.Thread(target=release_once_it_was_in_the_way)
    release.start()
    with servers:
        assert_written(servers.addresses)
    release.join()
    client.close()


@on_linux
def test_servers_die_with_their_launcher(var: Path, launch: Launch) -> None:
    launcher = launch(var)
    write(Servers(var).addresses)
    pids = server_pids(var)
    with database(Servers(var).addresses):  # an open client connection does not keep them alive
        launcher.kill()
        wait_until(lambda: all(map(is_gone, pids)))

    with Servers(var) as servers:
        assert_written(servers.addresses)


def test_servers_that_outlive_their_launcher_are_replaced(var: Path, launch: Launch) -> None:
    launcher = launch(
        var,
        before="from competition.embedded import child; child.ending_with_parent = lambda _: None",
    )
    write(Servers(var).addresses)
    left_behind = server_pids(var)
    launcher.kill()
    launcher.wait()
    assert not any(map(is_gone, left_behind))

    with Servers(var) as servers:
        assert all(map(is_gone, left_behind))
        assert not set(left_behind) & set(server_pids(var))
        assert_written(servers.addresses)


def test_a_start_right_after_the_launcher_died_waits_for_its_servers(
    var: Path, launch: Launch
) -> None:
    launcher = launch(var)
    write(Servers(var).addresses)
    launcher.kill()
    launcher.wait()

    with Servers(var) as servers:
        assert_written(servers.addresses)


def test_a_recorded_pid_that_another_program_has_is_not_killed(var: Path) -> None:
    servers = Servers(var)
    with servers:
        write(servers.addresses)
        home, sockets = locate(var).home, locate(var).sockets
        left_behind = {
            file: file.read_text()
            for file in (
                home / "postgres" / "postmaster.pid",
                sockets / ".s.PGSQL.5432.lock",
                home / "valkey.pid",
            )
        }
    owner = locate(var).owner
    stranger = subprocess.Popen(
        ["sleep", "600"], user=owner.pw_uid if os.geteuid() != owner.pw_uid else None
    )
    try:
        for file, text in left_behind.items():
            # The first line of each file is the pid of its server.
            file.write_text("\n".join([str(stranger.pid), *text.split("\n")[1:]]))
            os.chown(file, owner.pw_uid, owner.pw_gid)
        with servers:
            assert_written(servers.addresses)
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_an_incomplete_cluster_is_created_again(make_var: Callable[..., Path]) -> None:
    var = make_var()
    place = locate(var)
    var.mkdir()
    place.create()
    (place.home / "postgres.new").mkdir()
    (place.home / "postgres.new" / "PG_VERSION").touch()

    with Servers(var, durable=False) as servers:
        write(servers.addresses)
    assert not (place.home / "postgres.new").exists()


def test_a_failed_start_shows_the_log_and_leaves_nothing_behind(var: Path) -> None:
    servers = Servers(var, durable=False)
    with servers:
        write(servers.addresses)
    version = locate(var).home / "postgres" / "PG_VERSION"
    right = version.read_text()
    version.write_text("9.6\n")
    with pytest.raises(ServerFailed, match="incompatible"):
        servers.start()
    assert servers.ended() == {}

    version.write_text(right)
    with servers, database(servers.addresses) as connection:
        assert connection.execute("SELECT answer FROM kept").fetchall() == [(42,)]


def test_the_output_of_a_failed_initdb_is_shown(
    make_var: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    user = pwd.getpwuid(os.geteuid())
    reserved = pwd.struct_passwd(("pg_somebody", *user[1:]))
    # A test can't rename the user that it runs as. PostgreSQL rejects names that begin with pg_.
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: reserved)

    with pytest.raises(ServerFailed, match="pg_somebody"):
        Servers(make_var()).start()


def test_a_failed_second_server_stops_the_first(var: Path) -> None:
    servers = Servers(var)
    with servers:
        write(servers.addresses)
    manifest = locate(var).home / "valkey" / "appendonly.aof.manifest"
    right = manifest.read_text()
    manifest.write_text("nonsense\n")
    with pytest.raises(ServerFailed, match="valkey"):
        servers.start()
    assert not (locate(var).home / "postgres" / "postmaster.pid").exists()

    manifest.write_text(right)
    with servers:
        assert_written(servers.addresses)


def test_signals_of_the_terminal_do_not_reach_the_servers(
    running: Servers, running_var: Path
) -> None:
    for pid in server_pids(running_var):
        assert os.getsid(pid) == os.getpgid(pid) == pid


def sockets_of(pid: int) -> set[str]:
    links = (os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir())
    return {link.removeprefix("socket:[")[:-1] for link in links if link.startswith("socket:[")}


@on_linux
def test_no_server_opens_a_port(running: Servers, running_var: Path) -> None:
    for pid in server_pids(running_var):
        ours = sockets_of(pid)
        assert ours
        for table in ("tcp", "tcp6"):
            rows = Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]
            assert not ours & {row.split()[9] for row in rows}


def test_no_existing_folder_changes_its_mode_or_owner(make_var: Callable[..., Path]) -> None:
    var = make_var("closed/var")
    var.parent.mkdir(mode=0o700)
    var.mkdir()
    place = locate(var)
    folders = {*var.parents, var, *place.home.parent.parents, *place.sockets.parents}

    def rights() -> dict[Path, tuple[int, int, int]]:
        found = ((folder, folder.stat()) for folder in folders if folder.exists())
        return {folder: (stat.st_mode, stat.st_uid, stat.st_gid) for folder, stat in found}

    before = rights()
    with Servers(var, durable=False) as servers:
        write(servers.addresses)
    assert rights() == before


def test_only_the_user_who_started_the_servers_can_connect(
    running: Servers, running_var: Path
) -> None:
    with database(running.addresses) as connection:
        rules = connection.execute(
            "SELECT DISTINCT type, auth_method FROM pg_hba_file_rules ORDER BY type"
        )
        assert rules.fetchall() == [("host", "reject"), ("local", "peer")]
    place = locate(running_var)
    for folder in (place.home, place.sockets):
        assert folder.stat().st_mode & 0o077 == 0
        assert folder.stat().st_uid == place.owner.pw_uid
    assert (place.sockets / ".s.PGSQL.5432").stat().st_mode & 0o077 == 0
    assert place.valkey_socket.stat().st_mode & 0o077 == 0
