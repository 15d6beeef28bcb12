"""`competition doctor`: check everything that production needs, and print what to do."""

import os
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import click
import redis
from sqlalchemy import func, select, text
from sqlalchemy.exc import SQLAlchemyError

from competition.cli.database import connection
from competition.cli.ini import Ini, ini_argument
from competition.core.commands import print_table
from competition.core.database import DatabaseSettings
from competition.core.errors import ApiError
from competition.core.histories import migrations
from competition.core.histories.history import MigrationError
from competition.core.jobs.lanes import Lane
from competition.core.jobs.tasks import JobSettings
from competition.core.mail.transport import Transport, TransportError
from competition.core.messages import worded
from competition.core.monitoring.logs import reason
from competition.core.plugins import installed
from competition.core.push.sockets import SocketSettings
from competition.core.runtime import Runtime, most_connections
from competition.core.startup import risks
from competition.core.storage import keys
from competition.core.storage.contract import Storage, StorageSettings
from competition.core.users.credentials import ApiKey
from competition.core.users.models import Staff
from competition.core.web.health import problems
from competition.core.work import begin, reading

OLDEST_POSTGRESQL = 14
# The largest acceptable difference from the clock of PostgreSQL, in seconds.
LARGEST_LAG = 2.0
OPEN_FILES = 65_536
ABOUT_THE_SERVER = text(
    "select current_setting('server_version'), current_setting('server_encoding'),"
    " extract(epoch from clock_timestamp())"
)
MOST_CONNECTIONS = text(
    "select current_setting('max_connections')::int"
    " - current_setting('superuser_reserved_connections')::int"
)
LIMITS = text(
    "select extract(epoch from current_setting('statement_timeout')::interval),"
    " extract(epoch from current_setting('lock_timeout')::interval)"
)
READ_ONLY = text("select current_setting('default_transaction_read_only') = 'on'")
GREETING = b"competition doctor"
# The folder of the file that `doctor` stores and deletes.
PLACE = "doctor"
# The plugin whose pages show files, and how long the link to the test file works, in seconds.
CONSOLE = "console"
LINK_SECONDS = 10

Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True)
class Finding:
    """The result of a check; the message says what to do if it failed."""

    name: str
    level: Level
    message: str


Check = Callable[[Ini, Runtime], Iterator[Finding]]


def check_settings(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    service = runtime.service
    found = list(risks(runtime.settings))
    for risk in found:
        yield Finding("settings", "warning", risk)
    if not found:
        plugins = len(service.plugins.split())
        yield Finding("settings", "ok", f"{service.environment}, {plugins} plugins")


def check_database(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    with connection(ini) as connected:
        before = time.time()
        version, encoding, now = connected.execute(ABOUT_THE_SERVER).one()
        lag = abs(float(now) - (before + time.time()) / 2)
        is_new = int(version.partition(".")[0]) >= OLDEST_POSTGRESQL
        yield Finding(
            "database",
            "ok" if is_new and encoding == "UTF8" else "error",
            f"PostgreSQL {version}, {encoding}"
            + ("" if is_new else f": upgrade to {OLDEST_POSTGRESQL} or later")
            + ("" if encoding == "UTF8" else ": create the database with the encoding UTF8"),
        )
        yield Finding(
            "clock",
            "ok" if lag < LARGEST_LAG else "error",
            f"{lag:.1f} s difference from the clock of PostgreSQL"
            + ("" if lag < LARGEST_LAG else ": synchronise the clocks of both machines (NTP)"),
        )
        zone = time.strftime("%Z")
        yield Finding("time zone", "ok", f"{zone} on this machine; the service always uses UTC")
        try:
            migrations.check(connected, installed().values())
        except MigrationError as error:
            message = f"{str(error).splitlines()[0]} Run `competition db upgrade`."
            yield Finding("migrations", "error", message)
        else:
            yield Finding("migrations", "ok", "the tables match the models")


def check_connections(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    """Whether PostgreSQL allows enough connections for one process of each kind, and whether a
    pooler sets the time limits and makes the reading connections read-only."""
    needed = connections_of_each(runtime)
    with connection(ini) as connected:
        most = connected.execute(MOST_CONNECTIONS).scalar_one()
    settings = runtime.settings[DatabaseSettings]
    is_enough = bool(settings.direct_url) or most >= sum(needed.values())
    counts = ", ".join(f"{count} for each {process}" for process, count in needed.items())
    yield Finding(
        "connections",
        "ok" if is_enough else "warning",
        f"PostgreSQL allows {most}; the service needs {counts}"
        + ("" if is_enough else ": raise max_connections, or lower competition.database.pool_size"),
    )
    if settings.direct_url:
        with begin(runtime) as work:
            found = work.db.execute(LIMITS).one()
        wanted = (settings.statement_timeout, settings.lock_timeout)
        is_same = tuple(map(float, found)) == wanted
        yield Finding(
            "pooler",
            "ok" if is_same else "warning",
            f"statements fail after {found[0]:g} s, or after waiting for a lock for {found[1]:g} s"
            + (
                ""
                if is_same
                else f", but the settings are {wanted[0]:g} and {wanted[1]:g}: set them in the"
                " pooler's connect_query, as in deploy/pgbouncer"
            ),
        )
    with reading(runtime) as work:
        is_read_only = work.db.execute(READ_ONLY).scalar_one()
    yield Finding(
        "reading",
        "ok" if is_read_only else "error",
        "PostgreSQL rejects changes in requests that only read"
        if is_read_only
        else "PostgreSQL accepts changes in requests that only read: set"
        " competition.database.reading_url to an entry of the pooler whose connect_query has"
        " `set default_transaction_read_only = on`, as in deploy/pgbouncer",
    )


def connections_of_each(runtime: Runtime) -> dict[str, int]:
    """How many connections to PostgreSQL each kind of process opens at most, by its name. The
    processes of one `competition api` count together."""
    settings, server = runtime.settings, runtime.server
    threads = server.threads
    lanes = sum(each.threads for each in runtime.catalogue[Lane].values())
    return {
        "api": server.workers * most_connections(settings, threads),
        "worker": most_connections(settings, settings[JobSettings].workers + lanes + 2),
        # One more connection listens for notifications.
        "socket process": most_connections(settings, settings[SocketSettings].threads + 2) + 1,
    }


def check_people(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    with begin(runtime) as work:
        superadmins = work.db.scalar(
            select(func.count()).select_from(Staff).where(Staff.role == "superadmin")
        )
        known = work.db.scalar(select(func.count()).select_from(ApiKey))
    yield (
        Finding("superadmin", "ok", f"{superadmins}")
        if superadmins
        else Finding("superadmin", "warning", "there is none: run `competition superadmin create`")
    )
    yield (
        Finding("api keys", "ok", f"{known}")
        if known
        else Finding("api keys", "warning", "there is none: run `competition api-key create NAME`")
    )


def check_redis(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    name = "competition doctor"
    try:
        runtime.redis.set(name, 1, ex=1)
        version = runtime.redis.info("server")["redis_version"]
        runtime.redis.delete(name)
    except redis.RedisError as error:
        message = (
            f"{reason(error)}: check competition.redis.url; without Redis, rate limits are off"
        )
        yield Finding("redis", "error", message)
    else:
        yield Finding("redis", "ok", f"wrote and deleted a key; version {version}")


def check_storage(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    folder = runtime.settings[StorageSettings].folder
    owner = folder.stat().st_uid if folder is not None and folder.exists() else os.geteuid()
    try:
        with _no_new_folders(folder):
            is_same = _write_read_delete(runtime[Storage])
    except (ApiError, OSError) as error:
        cause = error.__cause__ or error
        message = f"{cause}: check the settings of competition.storage, and the permissions there"
        yield Finding("storage", "error", message)
        return
    if not is_same:
        message = "the file that was read is not the file that was written"
        yield Finding("storage", "error", message)
    elif os.geteuid() == 0 != owner:
        message = (
            "root can write to the folder, which proves nothing about the service: run this command"
            " as the service's user, for example with `runuser --user competition --`"
        )
        yield Finding("storage", "warning", message)
    else:
        yield Finding("storage", "ok", "wrote, read and deleted a file")


def check_links(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    """Whether pages of the plugin `console` can read files through links to a storage such as S3.

    The storage has another origin than the pages, so it has to allow their requests (CORS). Nothing
    is checked if the console is disabled, or if the service itself sends the files.
    """
    if CONSOLE not in runtime.packages.values():
        return
    url = urlsplit(runtime.public_url)
    origin = f"{url.scheme}://{url.netloc}"
    storage = runtime[Storage]
    try:
        if not storage.link(keys.new_key(PLACE, "txt"), "text/plain", LINK_SECONDS):
            # The service itself sends the files, from the origin of the pages.
            return
        with _stored(storage) as key:
            link = storage.link(key, "text/plain", LINK_SECONDS) or ""
            allowed = _allowed_origin(link, origin)
    except (ApiError, OSError) as error:
        cause = error.__cause__ or error
        yield Finding("file links", "error", f"{cause}: can a browser reach the storage?")
        return
    if allowed in (origin, "*"):
        yield Finding("file links", "ok", f"the storage lets pages of {origin} read files")
    else:
        message = (
            f"the storage does not let pages of {origin} read files, so the console shows no"
            " documents: allow GET from this origin in the CORS rules of the bucket"
        )
        yield Finding("file links", "error", message)


def _allowed_origin(link: str, origin: str) -> str | None:
    """The origin whose pages may read the file behind this link, according to the storage's reply
    to a request from `origin`."""
    request = Request(link, headers={"Origin": origin})
    with urlopen(request, timeout=LINK_SECONDS) as reply:
        allowed: str | None = reply.headers.get("Access-Control-Allow-Origin")
        return allowed


@contextmanager
def _stored(storage: Storage) -> Iterator[str]:
    """Context manager: store a file, return its key, and delete it."""
    key = keys.new_key(PLACE, "txt")
    storage.put(key, BytesIO(GREETING), "text/plain")
    try:
        yield key
    finally:
        storage.delete(key)


def _write_read_delete(storage: Storage) -> bool:
    """Whether the storage returns what it has stored."""
    with _stored(storage) as key, closing(storage.open(key)) as stream:
        return stream.read() == GREETING


@contextmanager
def _no_new_folders(folder: Path | None) -> Iterator[None]:
    """Context manager: at the end, remove the folders that the storage has created in the meantime.

    If root runs this command, these folders belong to root, and the service could not write to
    them.
    """
    paths = () if folder is None else (folder / PLACE, folder, *folder.parents)
    missing = [each for each in paths if not each.exists()]
    try:
        yield
    finally:
        for each in missing:
            # This fails for a folder that the service has started to use in the meantime, because
            # the folder is not empty.
            with suppress(OSError):
                each.rmdir()


def check_mail(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    try:
        with runtime[Transport].open():
            message = "the server accepts emails; send one with `competition mail test ADDRESS`"
            yield Finding("mail", "ok", message)
    except TransportError as error:
        message = f"{error.reason}: check competition.mail, the password and the network"
        yield Finding("mail", "error", message)


def check_limits(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = hard >= OPEN_FILES or hard == resource.RLIM_INFINITY
    yield Finding(
        "open files",
        "ok" if enough else "warning",
        f"{soft}, at most {hard}"
        + ("" if enough else f": each socket needs one; set LimitNOFILE={OPEN_FILES} in systemd"),
    )
    yield Finding("processors", "ok", f"{os.cpu_count()}")


def check_readiness(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    """The readiness checks of core and plugins, as in `/ready/`."""
    with reading(runtime) as work:
        for check, problem in problems(work):
            worse: Level = "error" if check.required else "warning"
            yield Finding(
                f"ready: {check.name}", "ok" if problem is None else worse, worded(problem or "")
            )


EVERYTHING: tuple[tuple[str, Check], ...] = (
    ("settings", check_settings),
    ("database", check_database),
    ("connections", check_connections),
    ("people", check_people),
    ("redis", check_redis),
    ("storage", check_storage),
    ("file links", check_links),
    ("mail", check_mail),
    ("limits", check_limits),
    ("ready", check_readiness),
)


@click.command()
@ini_argument
def doctor(ini: Ini) -> None:
    """Check everything that the service needs, and print what to do.

    The exit status is 1 if there is an error. The command leaves no data behind and sends no
    emails.
    """
    with ini.runtime() as runtime:
        findings = [
            finding for name, check in EVERYTHING for finding in _tried(name, check, ini, runtime)
        ]
    rows = [(each.level, each.name, each.message) for each in findings]
    print_table(("", f"{datetime.now(UTC):%Y-%m-%d %H:%M}Z", ""), rows)
    if any(each.level == "error" for each in findings):
        raise SystemExit(1)


def _tried(name: str, check: Check, ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    try:
        yield from check(ini, runtime)
    except SQLAlchemyError as error:
        message = f"{reason(error)}: check competition.database.url, and that PostgreSQL is running"
        yield Finding(name, "error", message)
