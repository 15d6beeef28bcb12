"""The two kinds of session. A reading session changes nothing, and a changing session is one
transaction.
"""

import logging
import socket

import pytest
from sqlalchemy import create_engine, func, select, text, update
from sqlalchemy.exc import InternalError
from sqlalchemy.orm.exc import StaleDataError
from sqlalchemy.pool import NullPool

from competition.core import audit
from competition.core.audit import AuditEntry
from competition.core.database import (
    ChangedWhileReading,
    Database,
    DatabaseSettings,
    NoTransaction,
    over_sets,
)
from competition.core.database_errors import retrying
from competition.core.jobs import jobs
from competition.core.slots import Field
from competition.core.users.models import Candidate, User
from competition.core.work import begin, changing, reading
from competition.plugins.dashboards.offered_slots import CANDIDATE_DASHBOARD
from competition.testing.races import together
from competition.testing.statements import executed
from tests.support.far_database import over_tcp

# Options of TCP connections. The first one is in milliseconds, the others with a time are in
# seconds.
OPTIONS = {
    "data": (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT),
    "probes": (socket.SOL_SOCKET, socket.SO_KEEPALIVE),
    "silence": (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE),
    "between probes": (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL),
    "lost probes": (socket.IPPROTO_TCP, socket.TCP_KEEPCNT),
}

READING = select(func.count()).select_from(AuditEntry)


def entries(live):
    with reading(live.runtime) as work:
        return work.db.scalar(READING)


@pytest.fixture(params=["app", "live"])
def service(request):
    """Run the test with both services of the test kit: the one that is rolled back, and the one
    with real commits.
    """
    return request.getfixturevalue(request.param)


class TestReading:
    def test_postgresql_rejects_a_change(self, service):
        with (
            reading(service.runtime) as work,
            pytest.raises(InternalError, match="read-only transaction"),
        ):
            work.db.execute(update(Candidate).values(school="Elsewhere"))

    def test_postgresql_rejects_a_row_lock(self, service):
        with (
            reading(service.runtime) as work,
            pytest.raises(InternalError, match="read-only transaction"),
        ):
            work.db.execute(select(User).with_for_update())

    def test_flushing_an_added_object_in_a_reading_session_is_an_error(self, service):
        with reading(service.runtime) as work:
            audit.record(work, "probe")
            with pytest.raises(ChangedWhileReading, match="AuditEntry"):
                work.db.scalar(READING)

    def test_changing_an_object_in_a_reading_session_is_an_error(self, service):
        person = service.candidate()
        with reading(service.runtime) as work:
            work.db.get_one(Candidate, person.id).school = "Elsewhere"
            with pytest.raises(ChangedWhileReading, match="Candidate"):
                work.db.check_unchanged()

    def test_locks_jobs_and_planner_settings_need_a_transaction(self, service):
        with reading(service.runtime) as work:
            with pytest.raises(NoTransaction):
                work.lock("a name")
            with pytest.raises(NoTransaction):
                jobs.enqueue(work, "dashboards.accounts")
            with pytest.raises(NoTransaction), over_sets(work.db):
                pass

    def test_a_get_request_that_changes_something_returns_500_and_not_503(self, live, caplog):
        """The cause is logged as an error of the service, and not hidden as an unavailable
        database."""
        person = live.candidate()

        def change(work, candidate_ids):
            work.db.execute(update(Candidate).values(school="Elsewhere"))
            return {}

        field = Field(CANDIDATE_DASHBOARD, "probe", int, change)
        live.runtime.catalogue.add(Field, "dashboards.probe", field)
        reply = person.get("/dashboard/candidate/", status=500)
        assert reply.json["code"] == "server_error"
        assert "read-only transaction" in caplog.text
        with reading(live.runtime) as work:
            assert work.db.get_one(Candidate, person.id).school != "Elsewhere"

    def test_a_get_request_that_changes_an_object_returns_500(self, service, caplog):
        person = service.candidate()

        def change(work, candidate_ids):
            work.db.get_one(Candidate, person.id).school = "Elsewhere"
            return dict.fromkeys(candidate_ids, 0)

        field = Field(CANDIDATE_DASHBOARD, "probe", int, change)
        service.runtime.catalogue.add(Field, "dashboards.probe", field)
        person.get("/dashboard/candidate/", status=500)
        assert "ChangedWhileReading" in caplog.text

    def test_a_reading_session_can_open_a_separate_changing_transaction(self, service):
        with reading(service.runtime) as work:
            before = work.db.scalar(READING)
            with changing(work) as writer:
                audit.record(writer, "probe")
            assert work.db.scalar(READING) == before + 1

    def test_each_statement_is_a_round_trip_without_a_transaction(self, live):
        with reading(live.runtime) as work:
            connection = work.db.connection().connection.driver_connection
            work.db.scalar(READING)
            assert connection.info.transaction_status.name == "IDLE"


class TestChanging:
    def test_an_error_rolls_back_the_whole_transaction(self, live):
        before = entries(live)
        with pytest.raises(ZeroDivisionError), begin(live.runtime) as work:
            work.db.scalar(READING)
            for _ in range(2):
                audit.record(work, "probe")
                work.db.flush()
            raise ZeroDivisionError
        assert entries(live) == before

    def test_a_transaction_of_core_statements_only_is_committed(self, live):
        person = live.candidate()
        with begin(live.runtime) as work:
            work.db.execute(update(Candidate).values(school="Elsewhere"))
        with reading(live.runtime) as work:
            assert work.db.get_one(Candidate, person.id).school == "Elsewhere"

    def test_a_failed_savepoint_rolls_back_only_its_own_part(self, live):
        before = entries(live)
        with begin(live.runtime) as work:
            audit.record(work, "kept")
            with pytest.raises(ZeroDivisionError), work.db.begin_nested():
                audit.record(work, "undone")
                work.db.flush()
                raise ZeroDivisionError
        assert entries(live) == before + 1

    def test_a_named_lock_is_released_at_the_commit(self, live):
        with begin(live.runtime) as work:
            assert work.lock("a name")
            with begin(live.runtime) as other:
                assert not other.lock("a name", wait=False)
                assert not other.lock("a name", wait=False, shared=True)
        with begin(live.runtime) as work:
            assert work.lock("a name", wait=False)

    def test_concurrent_increments_of_a_locked_row_are_all_counted(self, live):
        with begin(live.runtime) as work:
            audit.record(work, "probe", subject="0")

        def count_up(index):
            with begin(live.runtime) as work:
                entry = work.db.scalars(
                    select(AuditEntry).where(AuditEntry.action == "probe").with_for_update()
                ).one()
                entry_id, subject = entry.id, str(int(entry.subject) + 1)
                work.db.execute(
                    update(AuditEntry).where(AuditEntry.id == entry_id).values(subject=subject)
                )

        together(8, count_up)
        with reading(live.runtime) as work:
            found = work.db.scalar(select(AuditEntry.subject).where(AuditEntry.action == "probe"))
        assert found == "8"


class TestLostRaces:
    """A transaction that loses a race is retried, in requests, commands and tasks."""

    def test_a_serialization_failure_is_retried_until_it_succeeds(self, live):
        runs = []

        def act():
            runs.append(None)
            with begin(live.runtime) as work:
                if len(runs) < 3:
                    work.db.execute(text("do $$ begin raise sqlstate '40001'; end $$"))
                audit.record(work, "probe")
            return len(runs)

        before = entries(live)
        assert retrying(act) == 3
        assert entries(live) == before + 1

    def test_another_error_is_raised_immediately(self, live):
        runs = []

        def act():
            runs.append(None)
            raise StaleDataError("not a race")

        with pytest.raises(StaleDataError):
            retrying(act)
        assert len(runs) == 1


class TestConnections:
    def test_a_type_changed_by_a_migration_causes_no_error(self, live):
        person = live.candidate()
        for _ in range(8):
            person.get("/candidates/me/", status=200)
        url = live.runtime.database.changing.engine.url
        migration = create_engine(url, poolclass=NullPool)
        with migration.begin() as connection:
            connection.execute(text('alter table "user" alter column phone type varchar(40)'))
        for _ in range(3):
            person.get("/candidates/me/", status=200)
            person.patch(f"/account-management/{person.id}/", {"first_name": "Grace"}, status=200)

    def test_connections_closed_by_the_server_cause_no_error(self, live):
        person = live.candidate()
        person.get("/candidates/me/", status=200)
        person.patch(f"/account-management/{person.id}/", {"first_name": "Ada"}, status=200)
        url = live.runtime.database.changing.engine.url
        others = (
            "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
        )
        with create_engine(url, poolclass=NullPool).connect() as connection:
            connection.execute(text(f"{others} and datname = current_database()"))
        person.get("/candidates/me/", status=200)
        person.patch(f"/account-management/{person.id}/", {"first_name": "Grace"}, status=200)

    def test_a_server_that_became_a_standby_counts_as_an_outage(self, live, caplog):
        person = live.candidate()
        person.patch(f"/account-management/{person.id}/", {"first_name": "Ada"}, status=200)
        url = live.runtime.database.changing.engine.url
        # A demoted server rejects every change, even if the connection is not read-only.
        with create_engine(url, poolclass=NullPool).connect() as connection:
            connection = connection.execution_options(isolation_level="AUTOCOMMIT")
            rule = "create or replace function refuse() returns trigger language plpgsql as"
            refusal = "$$ begin raise sqlstate '25006' using message = 'read-only'; end $$"
            connection.execute(text(f"{rule} {refusal}"))
            trigger = 'create trigger refuse before update on "user" execute function refuse()'
            connection.execute(text(trigger))
        with caplog.at_level(logging.ERROR):
            reply = person.patch(
                f"/account-management/{person.id}/", {"first_name": "G"}, status=503
            )
        assert reply.json["code"] == "service_unavailable"
        assert reply.headers["Retry-After"]
        assert "unexpected error" not in caplog.text

    @pytest.mark.parametrize("engine", ["changing", "reading"])
    def test_the_kernel_notices_a_vanished_host(self, live, engine):
        """The connection is lost after 30 seconds without an acknowledgement of sent data. After 30
        seconds of silence, the kernel sends probes, and the connection is lost after 30 more
        seconds without an answer. `test_vanished_host` tests this with a host that vanishes.
        """
        settings = live.runtime.settings[DatabaseSettings]
        with over_tcp(live.runtime.database.changing.engine.url) as url:
            far = Database.connect(settings, url.render_as_string(hide_password=False))
            with getattr(far, engine).connect() as connection:
                opened = connection.connection.driver_connection
                with socket.fromfd(opened.fileno(), socket.AF_INET, socket.SOCK_STREAM) as found:
                    options = {name: found.getsockopt(*number) for name, number in OPTIONS.items()}
            far.dispose()
        assert options == {
            "data": 30_000,
            "probes": 1,
            "silence": 30,
            "between probes": 10,
            "lost probes": 3,
        }


def test_listening_to_statements_changes_no_reply(live):
    """Tracing listens to statements in the same way."""
    person = live.candidate()
    before = person.get("/candidates/me/", status=200).json
    with executed(live.runtime.database.engines) as sent:
        assert person.get("/candidates/me/", status=200).json == before
    assert len(sent) == 2
