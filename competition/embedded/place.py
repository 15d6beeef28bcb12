"""Where the servers lie and who owns them.

PostgreSQL refuses to run as root. So root gives the servers to an unprivileged user and keeps
them where that user can get to; anybody else keeps them in `var`:

                   home (data, logs)                 sockets                     owner
    root           /var/lib/competition-embedded-…   home                        postgres or nobody
    anybody else   var/embedded                      /tmp/competition-UID-…      the same

A `var` in memory has its home there, too. Both folders are private, and that is what guards the
sockets. Their names end in a hash of the path of `var`: a socket's path may have 103 bytes (107 on
Linux), however deep the checkout.
"""

import hashlib
import os
import pwd
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from competition.embedded.errors import EmbeddedUnavailable

DATABASE = "competition"

# Owned by root, so that nobody can lay a trap there; never swept and rarely mounted noexec, as
# /var/tmp is.
SYSTEM_STATE = Path("/var/db" if sys.platform == "darwin" else "/var/lib")
# A file system in the memory of a Linux, without a disk.
MEMORY = Path("/dev/shm")
# Not $TMPDIR: every process has to find the same sockets, whatever its environment.
SOCKETS_PARENT = Path("/tmp")


@dataclass(frozen=True)
class Addresses:
    database_url: str
    redis_url: str


@dataclass(frozen=True)
class Place:
    var: Path
    home: Path
    sockets: Path
    owner: pwd.struct_passwd
    role: str
    """The PostgreSQL superuser. Named like the user who connects, as peer authentication wants."""

    @property
    def is_ours(self) -> bool:
        """Whether the servers run as who starts them."""
        return self.owner.pw_uid == os.geteuid()

    @property
    def valkey_socket(self) -> Path:
        return self.sockets / "valkey.sock"

    @property
    def addresses(self) -> Addresses:
        return Addresses(
            database_url=(
                f"postgresql+psycopg://{quote(self.role, safe='')}@/{DATABASE}?host={self.sockets}"
            ),
            redis_url=f"unix://{self.valkey_socket}?db=0",
        )

    def create(self) -> None:
        """Make what is missing; refuse what is there and isn't ours alone."""
        for folder in (self.home, self.sockets):
            self._make_private(folder)

    def _make_private(self, folder: Path) -> None:
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            pass
        else:
            if not self.is_ours:
                os.chown(folder, self.owner.pw_uid, self.owner.pw_gid, follow_symlinks=False)
        found = folder.lstat()
        if (
            not stat.S_ISDIR(found.st_mode)
            or found.st_uid != self.owner.pw_uid
            or found.st_mode & 0o077
        ):
            raise PermissionError(
                f"{folder} has to be a folder that only {self.owner.pw_name} can open, and is not:"
                f" {stat.filemode(found.st_mode)}, user id {found.st_uid}."
                " See who made it, then remove it or put its mode and owner right."
            )


def addresses(var: Path) -> Addresses:
    """Where the servers of `var` are, whether they run or not."""
    return locate(var).addresses


def locate(var: Path) -> Place:
    var = var.resolve()
    uid = os.geteuid()
    key = hashlib.sha256(os.fsencode(var)).hexdigest()[:16]
    try:
        role = pwd.getpwuid(uid).pw_name
    except KeyError:
        raise EmbeddedUnavailable(
            f"User id {uid} has no passwd entry, and PostgreSQL needs one"
        ) from None
    if uid == 0:
        state = MEMORY if var.is_relative_to(MEMORY) else SYSTEM_STATE
        home = state / f"competition-embedded-{key}"
        return Place(var, home, home, _unprivileged(), role)
    sockets = SOCKETS_PARENT / f"competition-{uid}-{key}"
    return Place(var, var / "embedded", sockets, pwd.getpwuid(uid), role)


def _unprivileged() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")
