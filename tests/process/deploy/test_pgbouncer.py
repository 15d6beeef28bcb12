"""Run the service behind PgBouncer, as `deploy/pgbouncer` configures it.

Each of its two database entries has two connections.
"""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest
import trustme
from psycopg.errors import DuplicateObject, UniqueViolation
from sqlalchemy import make_url, text, update
from sqlalchemy.exc import InternalError

from competition.cli.doctor import check_connections
from competition.core.database import DatabaseSettings
from competition.core.database_errors import READ_ONLY, sqlstate
from competition.core.users.models import User
from competition.core.work import begin, reading
from competition.testing.exam_day import answers, make_exam, submit, take
from competition.testing.waiting import wait_until
from tests.support.ports import free_port
from tests.support.programs import PGBOUNCER, find, needs_program
from tests.support.repository import REPOSITORY
from tests.support.sockets import subjects, tell

pytestmark = needs_program(PGBOUNCER)

CONFIGURATION = REPOSITORY / "deploy/pgbouncer/pgbouncer.ini"
CLIENTS = 8


@pytest.fixture
def pooler(databases, template, tmp_path):
    """The URLs of the two database entries, and the URL of PostgreSQL itself."""
    direct = databases.create(template)
    url = make_url(direct)
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    # The tests' PostgreSQL uses peer authentication, and PgBouncer doesn't run as root.
    owner = Path(url.query["host"]).owner()
    with psycopg.connect(plain, autocommit=True) as connection:
        # Another worker of the test run may create the role at the same time.
        with suppress(DuplicateObject, UniqueViolation):
            connection.execute(f'create role "{owner}" superuser login')
        # The service must work in UTC, whatever the database's default time zone is.
        connection.execute(f"alter database \"{url.database}\" set timezone = 'Asia/Tokyo'")
    port = free_port()
    # PgBouncer reads this file, although the tests' PostgreSQL uses a socket without TLS.
    authority = tmp_path / "postgresql.pem"
    trustme.CA().cert_pem.write_to_path(authority)
    configuration = CONFIGURATION.read_text()
    for said, here in (
        (
            r"^league = host=\S+ port=5432",
            f"{url.database} = host={url.query['host']} user={owner}",
        ),
        (
            r"^league_reading = host=\S+ port=5432 dbname=league",
            f"reading = host={url.query['host']} user={owner} dbname={url.database}",
        ),
        ("^listen_port = .*", f"listen_port = {port}"),
        ("^auth_type = .*", "auth_type = any\nunix_socket_dir ="),
        ("^auth_file.*", ""),
        ("^server_tls_ca_file = .*", f"server_tls_ca_file = {authority}"),
        ("^default_pool_size = .*", "default_pool_size = 2"),
    ):
        configuration, found = re.subn(said, here, configuration, flags=re.MULTILINE)
        assert found == 1, said
    file = tmp_path / "pgbouncer.ini"
    file.write_text(configuration)
    switch = ["-u", owner] if os.geteuid() == 0 else []
    with (tmp_path / "pgbouncer.log").open("wb") as log, ExitStack() as stack:
        process = subprocess.Popen([find(PGBOUNCER), *switch, str(file)], stdout=log, stderr=log)
        stack.callback(databases.drop, direct)
        stack.callback(process.wait)
        stack.callback(process.kill)
        pooled = f"postgresql+psycopg://league@127.0.0.1:{port}"
        wait_until(lambda: answers_at(f"{pooled}/{url.database}"))
        yield SimpleNamespace(
            url=f"{pooled}/{url.database}",
            reading_url=f"{pooled}/reading",
            direct=direct,
            plain=plain,
        )


def answers_at(url):
    try:
        psycopg.connect(url.replace("+psycopg", "")).close()
    except psycopg.OperationalError:
        return False
    return True


def test_the_service_works_behind_pgbouncer(pooler, sockets_with):
    clients = sockets_with(
        {
            "competition.database.url": pooler.url,
            "competition.database.reading_url": pooler.reading_url,
            "competition.database.direct_url": pooler.direct,
            "competition.database.pool_size": str(CLIENTS),
            # As in the pooler's connect_query.
            "competition.database.statement_timeout": "30",
            "competition.database.lock_timeout": "10",
        }
    )
    service = clients.service
    admin = service.staff("admin")
    exam_id = make_exam(service, admin)
    people = [service.candidate() for _ in range(CLIENTS)]
    sheet = answers(service, exam_id, "ABCD")["answers"]

    def sit(person):
        take(person, exam_id, status=200)
        # Save so often that psycopg prepares the statement on each connection.
        for sequence in range(1, 12):
            draft = {"sequence": sequence, "answers": sheet}
            reply = person.put(f"/exams/{exam_id}/draft/", draft, status=200).json
            assert reply["applied"] and reply["saved_at"].endswith("Z")
        submit(person, exam_id, {"answers": sheet}, status=201)

    with ThreadPoolExecutor(CLIENTS) as threads:
        list(threads.map(sit, people))
    service.run_jobs()
    with begin(service.runtime) as work:
        assert work.db.scalar(text("select count(*) from score")) == CLIENTS
        assert work.db.scalar(text("select current_setting('TimeZone')")) == "UTC"
    # Two connections for each database entry.
    assert of_the_pool(pooler) <= 4

    def doctor(runtime):
        ini = SimpleNamespace(settings=lambda: runtime.settings)
        return {each.name: each.level for each in check_connections(ini, runtime)}

    assert doctor(service.runtime) == {"connections": "ok", "pooler": "ok", "reading": "ok"}
    as_it_was = service.runtime.settings
    service.runtime.settings = as_it_was.replace(DatabaseSettings, lock_timeout=3.0)
    assert doctor(service.runtime)["pooler"] == "warning"
    service.runtime.settings = as_it_was

    # LISTEN works, because it uses a direct connection to PostgreSQL.
    open_socket = clients.open(people[0])
    tell(service, people[0])
    assert "Hello" in subjects(open_socket, 1)


def test_a_change_through_the_reading_entry_is_rejected(pooler, live_with):
    service = live_with(
        {
            "competition.database.url": pooler.url,
            "competition.database.reading_url": pooler.reading_url,
            "competition.database.direct_url": pooler.direct,
        }
    )
    change = update(User).values(first_name="Ada")
    with reading(service.runtime) as work, pytest.raises(InternalError) as raised:
        work.db.execute(change)
    assert sqlstate(raised.value) == READ_ONLY
    with begin(service.runtime) as work:
        work.db.execute(change)


def test_the_doctor_detects_a_reading_entry_that_accepts_changes(pooler, live_with):
    service = live_with(
        {
            "competition.database.url": pooler.url,
            "competition.database.reading_url": pooler.url,
            "competition.database.direct_url": pooler.direct,
        }
    )
    ini = SimpleNamespace(settings=lambda: service.runtime.settings)
    levels = {each.name: each.level for each in check_connections(ini, service.runtime)}
    assert levels["reading"] == "error"


def of_the_pool(pooler):
    with psycopg.connect(pooler.plain) as connection:
        return connection.execute(
            "select count(*) from pg_stat_activity where datname = current_database()"
            " and usename <> current_user"
        ).fetchone()[0]
