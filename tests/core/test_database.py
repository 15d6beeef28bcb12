"""What a unit of work costs at PostgreSQL, and that nothing is lost by what it saves."""

import pytest
from sqlalchemy import bindparam, func, select, text, update

from competition.bench.statements import Tap
from competition.core import audit
from competition.core.audit import AuditEntry
from competition.core.database import ALONE, CHANGES, _only_reads
from competition.core.users.models import Candidate
from competition.core.work import begin
from competition.testing.races import together

READING = select(func.count()).select_from(AuditEntry)


@pytest.fixture
def tap(live):
    with Tap(live.runtime.database.bind) as tap:
        with begin(live.runtime) as work:
            work.db.execute(READING)
        yield tap


def test_what_only_reads_pays_for_its_statements_alone(live, tap):
    with tap.counting() as traffic, begin(live.runtime) as work:
        work.db.execute(READING)
        work.db.execute(READING)
    assert (traffic.statements, traffic.round_trips) == (2, 2)


def test_what_changes_something_begins_and_commits(live, tap):
    with tap.counting() as traffic, begin(live.runtime) as work:
        work.db.execute(READING)
        audit.record(work, "probe")
        work.db.flush()
        work.db.execute(READING)
    assert (traffic.statements, traffic.round_trips) == (3, 5)


def test_what_was_changed_after_reading_is_undone_together(live):
    with begin(live.runtime) as work:
        before = work.db.scalar(READING)
    with pytest.raises(ZeroDivisionError), begin(live.runtime) as work:
        work.db.scalar(READING)
        for _ in range(2):
            audit.record(work, "probe")
            work.db.flush()
        raise ZeroDivisionError
    with begin(live.runtime) as work:
        assert work.db.scalar(READING) == before


def test_a_lock_is_held_until_the_commit(live):
    with begin(live.runtime) as work:
        work.lock("a name")
        with begin(live.runtime) as other:
            assert not other.try_to_hold("a name")
    with begin(live.runtime) as work:
        assert work.lock("a name", wait=False)


def test_who_locks_a_row_and_then_changes_it_loses_nothing(live):
    with begin(live.runtime) as work:
        audit.record(work, "probe", subject="0")

    def count_up(index):
        with begin(live.runtime) as work:
            entry = work.db.scalars(
                select(AuditEntry).where(AuditEntry.action == "probe").with_for_update()
            ).one()
            work.db.execute(
                update(AuditEntry)
                .where(AuditEntry.id == entry.id)
                .values(subject=str(int(entry.subject) + 1))
            )

    together(8, count_up)
    with begin(live.runtime) as work:
        found = work.db.scalar(select(AuditEntry.subject).where(AuditEntry.action == "probe"))
    assert found == "8"


@pytest.mark.parametrize(
    "statement",
    [
        "insert into audit values (1)",
        "select 1 from audit for update",
        "SELECT 1 FROM audit FOR KEY SHARE",
        "with gone as (delete from audit returning id) select * from gone",
        "select pg_notify('a', 'b')",
        "select nextval('a')",
        "select * into copied from audit",
        "savepoint one",
        "lock table audit",
        "set local lock_timeout = 1",
    ],
)
def test_what_may_change_or_lock_something_is_in_a_transaction(statement):
    assert not _only_reads(statement)


def test_a_column_that_is_named_after_a_change_is_none():
    assert _only_reads("SELECT a.updated_at, a.deleted_at FROM a WITH")
    assert not CHANGES.search("select created_at, is_shared from a")


@pytest.mark.parametrize(
    "statement", [select(AuditEntry.id).with_for_update(), text("delete from audit_entry")]
)
@pytest.mark.parametrize("has_begun", [False, True])
def test_what_is_to_read_changes_and_locks_nothing(live, statement, has_begun):
    with begin(live.runtime) as work:
        if has_begun:
            audit.record(work, "probe")
            work.db.flush()
        with pytest.raises(ValueError, match="is to read"):
            work.db.read(statement, {})


class TestAStatementAlone:
    """What is all that a work changes is committed by PostgreSQL itself."""

    CHANGE = update(Candidate).values(school=bindparam("name"))

    @pytest.fixture(autouse=True)
    def somebody(self, live):
        live.candidate(school="Before")

    def school(self, live):
        with begin(live.runtime) as work:
            return work.db.scalars(select(Candidate.school)).one()

    def fail_after(self, live, act):
        with pytest.raises(ZeroDivisionError), begin(live.runtime) as work:
            act(work.db.connection())
            raise ZeroDivisionError

    def test_it_takes_one_round_trip_and_is_not_undone(self, live, tap):
        def act(connection):
            connection.execute(self.CHANGE, {"name": "Alone"}, execution_options=ALONE)

        with tap.counting() as traffic:
            self.fail_after(live, act)
        assert (traffic.statements, traffic.round_trips) == (1, 1)
        assert self.school(live) == "Alone"

    def test_after_another_change_it_is_in_the_same_transaction(self, live):
        def act(connection):
            connection.execute(self.CHANGE, {"name": "First"})
            connection.execute(self.CHANGE, {"name": "Second"}, execution_options=ALONE)

        self.fail_after(live, act)
        assert self.school(live) == "Before"
