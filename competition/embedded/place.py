"""The folders of the embedded servers, and the user who owns them.

PostgreSQL does not run as root. If root starts the servers, they run as an unprivileged user and
have their data in a folder that this user can access. For all other users the data is in `var`:

                   home (data, logs)                 sockets                     owner
    root           /var/lib/competition-embedded-…   home                        postgres or nobody
    other users    var/embedded                      /tmp/competition-UID-…      the same user

If root's `var` is in memory (/dev/shm), `home` is there too.

Both folders are private to their owner: nothing else protects the sockets. Folders outside `var`
have a hash of the path of `var` in their names instead of that path, because the path of a socket
may have only 103 bytes (107 on Linux).
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

# The parent of root's `home`. Only root can create files in this folder, so no other user can
# create `home` first. Unlike in /var/tmp, the system never deletes old files there. The folder is
# rarely mounted with noexec.
SYSTEM_STATE = Path("/var/db" if sys.platform == "darwin" else "/var/lib")
# Linux's file system in memory.
MEMORY = Path("/dev/shm")
# The parent of the sockets of other users than root. It is not $TMPDIR, because all processes have
# to use the same sockets, whatever their environment is.
SOCKETS_PARENT = Path("/tmp")


@dataclass(frozen=True)
class Addresses:
    """The URLs of the embedded PostgreSQL and Valkey."""

    database_url: str
    redis_url: str


@dataclass(frozen=True)
class Place:
    """The folders of the embedded PostgreSQL and Valkey, and the user who owns them. `home` has the
    data and logs of the servers, and `sockets` has their sockets."""

    var: Path
    home: Path
    sockets: Path
    owner: pwd.struct_passwd
    role: str
    """The PostgreSQL superuser. It has the name of the user who connects, as peer authentication
    requires."""

    @property
    def is_ours(self) -> bool:
        """Whether the servers run as the current user."""
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
        """Create the folders that don't exist. Raises PermissionError if an existing folder belongs
        to another user, or other users can access it."""
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
                f"{folder} must be a folder that only {self.owner.pw_name} can open. Its mode is"
                f" {stat.filemode(found.st_mode)}, and its owner has the user id {found.st_uid}."
                " Find out who created it. Then remove it, or correct its mode and owner."
            )


def addresses(var: Path) -> Addresses:
    """The URLs of the servers of `var`, whether they run or not."""
    return locate(var).addresses


def locate(var: Path) -> Place:
    """The place of the files and sockets of the current user's servers for `var`.

    Raises EmbeddedUnavailable if the id of the current user has no passwd entry, and so no name.
    """
    var = var.resolve()
    uid = os.geteuid()
    key = hashlib.sha256(os.fsencode(var)).hexdigest()[:16]
    try:
        role = pwd.getpwuid(uid).pw_name
    except KeyError:
        raise EmbeddedUnavailable(
            f"PostgreSQL needs a passwd entry, and the user id {uid} has none. Add the user"
            f" (`useradd --uid {uid} NAME`), or run the command as another user."
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
