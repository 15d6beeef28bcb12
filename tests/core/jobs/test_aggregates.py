"""Aggregates: numbers over all accounts or exams, cached for a minute. Rows that processes cache
until they change."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from sqlalchemy import update

from competition.core.jobs.aggregates import Aggregate, AggregateRow, Versioned
from competition.core.work import begin, reading
from competition.testing.races import together


@dataclass(frozen=True)
class Counted:
    runs: int
    at: datetime


def counter(name="tests.counter"):
    """An aggregate that counts how often it was computed."""
    runs = []

    def compute(work):
        runs.append(work.now)
        return Counted(len(runs), work.now)

    return Aggregate(name, Counted, compute)


def read(app, aggregate):
    with begin(app.runtime) as work:
        return aggregate.read(work)


def test_a_missing_value_is_computed_by_its_reader(app):
    assert read(app, counter()) == Counted(1, app.clock.now)


def test_a_value_is_cached_for_a_minute(app):
    aggregate = counter()
    first = read(app, aggregate)
    app.clock.advance(seconds=59)
    assert read(app, aggregate) == first
    app.clock.advance(seconds=1)
    assert read(app, aggregate) == Counted(2, app.clock.now)


def test_a_process_may_cache_a_value_until_the_next_one_is_due(app):
    aggregate = counter()

    def cached():
        with begin(app.runtime) as work:
            return aggregate.read_cached(work).runs

    assert cached() == 1
    app.clock.advance(seconds=10)
    assert cached() == 1
    with begin(app.runtime) as work:
        aggregate.refresh(work)
    app.clock.advance(seconds=19)
    assert (cached(), read(app, aggregate).runs) == (1, 2)
    app.clock.advance(seconds=1)
    assert cached() == 2
    # Without a periodic task, a value is used for a minute, as by `read`.
    app.clock.advance(seconds=39)
    assert cached() == 2
    app.clock.advance(seconds=1)
    assert cached() == 3


def test_a_value_in_the_form_of_another_version_is_computed_again(app):
    aggregate = counter()
    read(app, aggregate)
    with begin(app.runtime) as work:
        work.db.execute(update(AggregateRow).values(value={"runs": 1}))
    app.clock.advance(seconds=1)
    assert read(app, aggregate).runs == 2


def test_a_reading_request_stores_the_computed_value(app):
    aggregate = counter()
    with reading(app.runtime) as work:
        assert aggregate.read(work).runs == 1
    with reading(app.runtime) as work:
        assert aggregate.stored(work).runs == 1


def test_a_refresh_computes_even_a_fresh_value(app):
    aggregate = counter()
    read(app, aggregate)
    with begin(app.runtime) as work:
        aggregate.refresh(work)
    assert read(app, aggregate).runs == 2


def test_every_aggregate_has_its_own_row(app):
    one, other = counter(), counter("tests.other")
    read(app, one)
    with begin(app.runtime) as work:
        one.refresh(work)
    assert (read(app, one).runs, read(app, other).runs) == (2, 1)


def test_times_are_read_as_they_were_written(app):
    aggregate = counter()
    app.clock.now = datetime(2026, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)
    read(app, aggregate)
    assert read(app, aggregate).at == app.clock.now


def test_one_of_many_simultaneous_readers_computes(live):
    aggregate = counter()
    found = together(12, lambda _: read(live, aggregate))
    assert {each.runs for each in found} == {1}


def test_zero_is_cached(app):
    computed = []

    def compute(work):
        computed.append(work.now)
        return 0

    aggregate = Aggregate("tests.nothing", int, compute)
    assert [read(app, aggregate) for _ in range(3)] == [0, 0, 0]
    assert len(computed) == 1


# --- Rows with a version


def change(app, rows):
    with begin(app.runtime) as work:
        rows.changed(work)


def test_each_process_loads_versioned_rows_again_after_each_change(app, app_with):
    loaded = []
    rows = Versioned("tests.rows", lambda work: loaded.append(work.runtime) or len(loaded))
    other = app_with({})
    assert [read(each, rows) for each in (app, app, other, other)] == [1, 1, 2, 2]
    assert loaded == [app.runtime, other.runtime]
    change(app, rows)
    assert [read(each, rows) for each in (app, other, app, other)] == [3, 4, 3, 4]
    change(other, rows)
    assert [read(each, rows) for each in (app, other, app, other)] == [5, 6, 5, 6]
    app.clock.advance(days=30)
    assert read(app, rows) == 5


def test_versioned_rows_of_a_transaction_that_is_rolled_back_are_not_used(app):
    stored = ["old"]
    rows = Versioned("tests.rows", lambda work: stored[0])
    change(app, rows)
    with pytest.raises(ZeroDivisionError), begin(app.runtime) as work:
        stored[0] = "never committed"
        rows.changed(work)
        assert rows.read(work) == "never committed"
        raise ZeroDivisionError
    # The next transaction is the first that commits a change.
    stored[0] = "new"
    change(app, rows)
    assert read(app, rows) == "new"


def test_versioned_rows_that_change_while_they_are_loaded_are_loaded_again(app):
    stored = ["old"]

    def load(work):
        found = stored[0]
        if found == "old":
            stored[0] = "new"
            change(app, rows)
        return found

    rows = Versioned("tests.rows", load)
    assert [read(app, rows) for _ in range(2)] == ["old", "new"]


def test_every_versioned_has_its_own_rows(app):
    one, other = (Versioned(f"tests.{each}", lambda work, each=each: [each]) for each in "ab")
    first = read(app, one)
    change(app, other)
    assert read(app, other) == ["b"]
    assert read(app, one) is first
