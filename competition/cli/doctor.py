"""`competition doctor`: tries everything that production needs, and says what to do."""

import os
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from typing import Literal

import click
import redis
from sqlalchemy import func, select, text
from sqlalchemy.exc import SQLAlchemyError

from competition.cli.database import connection
from competition.cli.ini import Ini, ini_argument
from competition.core.console import print_table
from competition.core.database import DatabaseSettings
from competition.core.errors import ApiError
from competition.core.histories import migrations
from competition.core.histories.history import MigrationError
from competition.core.jobs.lanes import Lane
from competition.core.jobs.tasks import JobSettings
from competition.core.mail.transport import Transport, TransportError
from competition.core.monitoring.logs import reason
from competition.core.plugins import installed
from competition.core.push.sockets import SocketSettings
from competition.core.runtime import Runtime, most_connections
from competition.core.startup import risks
from competition.core.storage import keys
from competition.core.storage.contract import Storage
from competition.core.users.credentials import ApiKey
from competition.core.users.models import Staff
from competition.core.web.health import problems
from competition.core.work import begin, reading

OLDEST_POSTGRESQL = 14
# Seconds between the clocks of this machine and of PostgreSQL: a deadline is a minute's matter.
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

Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True)
class Finding:
    """What was tried, how it went, and what to do about it."""

    name: str
    level: Level
    message: str


Look = Callable[[Ini, Runtime], Iterator[Finding]]


def look_at_settings(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    service = runtime.service
    found = list(risks(runtime.settings))
    for risk in found:
        yield Finding("settings", "warning", risk)
    if not found:
        plugins = len(service.plugins.split())
        yield Finding("settings", "ok", f"{service.environment}, {plugins} plugins")


def look_at_database(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    with connection(ini) as connected:
        before = time.time()
        version, encoding, now = connected.execute(ABOUT_THE_SERVER).one()
        lag = abs(float(now) - (before + time.time()) / 2)
        is_new = int(version.partition(".")[0]) >= OLDEST_POSTGRESQL
        yield Finding(
            "database",
            "ok" if is_new and encoding == "UTF8" else "error",
            f"PostgreSQL {version}, {encoding}"
            + ("" if is_new else f": take {OLDEST_POSTGRESQL} or later")
            + ("" if encoding == "UTF8" else ": make it with the encoding UTF8"),
        )
        yield Finding(
            "clock",
            "ok" if lag < LARGEST_LAG else "error",
            f"{lag:.1f} s apart from PostgreSQL's"
            + ("" if lag < LARGEST_LAG else ": have both machines keep the time (NTP)"),
        )
        zone = time.strftime("%Z")
        yield Finding("time zone", "ok", f"{zone} here; the service's times are UTC all the same")
        try:
            migrations.check(connected, installed().values())
        except MigrationError as error:
            told = f"{str(error).splitlines()[0]} Run `competition db upgrade`."
            yield Finding("migrations", "error", told)
        else:
            yield Finding("migrations", "ok", "the tables are what the models say")


def look_at_connections(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    """Whether PostgreSQL has enough for one process of each kind, and what a pooler makes of the
    limits."""
    needed = connections_of_each(runtime)
    with connection(ini) as connected:
        most = connected.execute(MOST_CONNECTIONS).scalar_one()
    settings = runtime.settings[DatabaseSettings]
    is_enough = bool(settings.direct_url) or most >= sum(needed.values())
    told = ", ".join(f"{count} for each {process}" for process, count in needed.items())
    yield Finding(
        "connections",
        "ok" if is_enough else "warning",
        f"{most} in PostgreSQL; {told}"
        + ("" if is_enough else ": raise max_connections, or lower competition.database.pool_size"),
    )
    if settings.direct_url:
        with begin(runtime) as work:
            found = work.db.execute(LIMITS).one()
        wanted = (settings.statement_timeout, settings.lock_timeout)
        told = " and ".join(f"{each:g} s" for each in found)
        is_same = tuple(map(float, found)) == wanted
        yield Finding(
            "pooler",
            "ok" if is_same else "warning",
            f"statements end after {told} of waiting for a lock"
            + (
                ""
                if is_same
                else f"; the settings say {wanted[0]:g} and {wanted[1]:g}: put them into its"
                " connect_query, as deploy/pgbouncer has them"
            ),
        )
    with reading(runtime) as work:
        is_read_only = work.db.execute(READ_ONLY).scalar_one()
    yield Finding(
        "reading",
        "ok" if is_read_only else "error",
        "PostgreSQL rejects changes in requests that only read"
        if is_read_only
        else "PostgreSQL accepts changes in requests that only read: point"
        " competition.database.reading_url to an entry of the pooler whose connect_query has"
        " `set default_transaction_read_only = on`, as deploy/pgbouncer has it",
    )


def connections_of_each(runtime: Runtime) -> dict[str, int]:
    """How many connections one `competition api`, worker and socket process opens at most."""
    settings, server = runtime.settings, runtime.server
    threads = server.threads
    lanes = sum(each.threads for each in runtime.catalogue[Lane].values())
    return {
        "api": server.workers * most_connections(settings, threads),
        "worker": most_connections(settings, settings[JobSettings].workers + lanes + 2),
        # One more listens for notifications.
        "socket process": most_connections(settings, settings[SocketSettings].threads + 2) + 1,
    }


def look_at_people(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    with begin(runtime) as work:
        superadmins = work.db.scalar(
            select(func.count()).select_from(Staff).where(Staff.role == "superadmin")
        )
        known = work.db.scalar(select(func.count()).select_from(ApiKey))
    yield (
        Finding("superadmin", "ok", f"{superadmins}")
        if superadmins
        else Finding("superadmin", "warning", "nobody: run `competition superadmin create`")
    )
    yield (
        Finding("api keys", "ok", f"{known}")
        if known
        else Finding("api keys", "warning", "none: run `competition api-key create NAME`")
    )


def look_at_redis(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    name = "competition doctor"
    try:
        runtime.redis.set(name, 1, ex=1)
        version = runtime.redis.info("server")["redis_version"]
        runtime.redis.delete(name)
    except redis.RedisError as error:
        told = f"{reason(error)}: look at competition.redis.url; without it nothing is limited"
        yield Finding("redis", "error", told)
    else:
        yield Finding("redis", "ok", f"writes and reads; version {version}")


def look_at_storage(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    key = keys.new_key("doctor", "txt")
    try:
        runtime[Storage].put(key, BytesIO(GREETING), "text/plain")
        with closing(runtime[Storage].open(key)) as stream:
            is_same = stream.read() == GREETING
        runtime[Storage].delete(key)
    except (ApiError, OSError) as error:
        told = f"{error}: look at competition.storage and at the rights there"
        yield Finding("storage", "error", told)
    else:
        told = "wrote, read and deleted a file"
        yield Finding("storage", "ok" if is_same else "error", told)


def look_at_mail(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    try:
        with runtime[Transport].open():
            told = "it takes mails; try `competition mail test ADDRESS`"
            yield Finding("mail", "ok", told)
    except TransportError as error:
        told = f"{error.reason}: look at competition.mail, the password and the network"
        yield Finding("mail", "error", told)


def look_at_limits(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = hard >= OPEN_FILES or hard == resource.RLIM_INFINITY
    yield Finding(
        "open files",
        "ok" if enough else "warning",
        f"{soft}, at most {hard}"
        + ("" if enough else f": one for each socket; LimitNOFILE={OPEN_FILES} in systemd"),
    )
    yield Finding("processors", "ok", f"{os.cpu_count()}")


def look_at_checks(ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    """What plugins and core have the service say of itself at `/ready/`."""
    with reading(runtime) as work:
        for check, problem in problems(work):
            worse: Level = "error" if check.required else "warning"
            yield Finding(f"ready: {check.name}", "ok" if problem is None else worse, problem or "")


EVERYTHING: tuple[tuple[str, Look], ...] = (
    ("settings", look_at_settings),
    ("database", look_at_database),
    ("connections", look_at_connections),
    ("people", look_at_people),
    ("redis", look_at_redis),
    ("storage", look_at_storage),
    ("mail", look_at_mail),
    ("limits", look_at_limits),
    ("ready", look_at_checks),
)


@click.command()
@ini_argument
def doctor(ini: Ini) -> None:
    """Try everything that the service needs, and say what to do. Ends with 1 after an error.

    Nothing is left behind, and nobody is written to.
    """
    with ini.runtime() as runtime:
        findings = [
            finding for name, look in EVERYTHING for finding in _tried(name, look, ini, runtime)
        ]
    rows = [(each.level, each.name, each.message) for each in findings]
    print_table(("", f"{datetime.now(UTC):%Y-%m-%d %H:%M}Z", ""), rows)
    if any(each.level == "error" for each in findings):
        raise SystemExit(1)


def _tried(name: str, look: Look, ini: Ini, runtime: Runtime) -> Iterator[Finding]:
    try:
        yield from look(ini, runtime)
    except SQLAlchemyError as error:
        told = f"{reason(error)}: look at competition.database.url; is it running?"
        yield Finding(name, "error", told)
