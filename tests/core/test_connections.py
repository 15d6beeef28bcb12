"""Connections to PostgreSQL, of sessions and of statements that are asked directly."""

import psycopg
import pytest
from sqlalchemy import NullPool, create_engine, select, text
from sqlalchemy.exc import OperationalError, TimeoutError

from competition.bench.statements import Tap
from competition.core import connections
from competition.core.database import ALIVE
from competition.core.work import begin

OWN_PID = text("select pg_backend_pid()")
# One statement, by the two ways.
BY_SESSION = pytest.param(lambda work: work.db.scalar(OWN_PID), id="session")
ASKED = pytest.param(lambda work: work.db.alone(OWN_PID, {})[0][0], id="asked")


@pytest.fixture
def pool(live):
    return live.runtime.database.bind.pool


@pytest.fixture
def tap(live):
    with Tap(live.runtime.database.bind) as tap:
        yield tap


def end(live, pid):
    with create_engine(live.runtime.database.bind.url, poolclass=NullPool).connect() as other:
        other.execute(text("select pg_terminate_backend(:pid, 5000)"), {"pid": pid})


@pytest.mark.parametrize("ask", [BY_SESSION, ASKED])
def test_one_that_postgresql_closed_is_replaced_before_it_is_used(live, ask):
    with begin(live.runtime) as work:
        pid = ask(work)
    end(live, pid)
    with begin(live.runtime) as work:
        assert ask(work) != pid


@pytest.mark.parametrize("ask", [lambda db: db.execute(ALIVE), lambda db: db.read(ALIVE, {})])
def test_one_that_was_not_used_for_long_is_asked(live, tap, monkeypatch, ask):
    with begin(live.runtime) as work:
        ask(work.db)
    monkeypatch.setattr(connections, "FORGOTTEN_AFTER", -1)
    with tap.counting() as traffic, begin(live.runtime) as work:
        ask(work.db)
    assert traffic.round_trips == 2


@pytest.mark.parametrize("ask", [BY_SESSION, ASKED])
def test_all_come_back_to_the_pool(live, pool, ask):
    with begin(live.runtime) as work:
        ask(work)
    assert pool.checkedout() == 0


def test_one_that_ends_beneath_a_statement_is_replaced_and_not_kept(live, pool):
    ending = text("select pg_terminate_backend(pg_backend_pid())::text")
    with pytest.raises(OperationalError), begin(live.runtime) as work:
        work.db.alone(ending, {})
    assert pool.checkedout() == 0
    with begin(live.runtime) as work:
        assert work.db.read(ALIVE, {})


def test_what_a_statement_fails_at_is_left_on_no_connection(live, pool):
    with pytest.raises(Exception, match="division"), begin(live.runtime) as work:
        work.db.read(text("select 1 / 0"), {})
    assert pool.checkedout() == 0
    with begin(live.runtime) as work:
        assert work.db.read(ALIVE, {})


def test_where_postgresql_is_away_the_pool_stays_whole(live, pool, monkeypatch):
    def refuse(*_):
        raise psycopg.OperationalError("connection refused")

    pool.dispose()
    monkeypatch.setattr(pool, "_invoke_creator", refuse)
    for _ in range(pool.size() + live.runtime.database.bind.pool._max_overflow + 1):
        with pytest.raises(OperationalError), begin(live.runtime) as work:
            work.db.read(ALIVE, {})
    assert pool.checkedout() == 0


def test_whoever_waits_too_long_for_one_is_refused(live, pool, monkeypatch):
    monkeypatch.setattr(pool, "_timeout", 0.01)
    lent = [pool.lend() for _ in range(pool.size() + pool._max_overflow)]
    try:
        with pytest.raises(TimeoutError, match="QueuePool limit"), begin(live.runtime) as work:
            work.db.read(select(1), {})
    finally:
        for each in lent:
            pool.back(each)
