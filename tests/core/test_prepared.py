"""Statements that are asked of psycopg directly answer, and fail, as SQLAlchemy does."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import UUID

import pytest
from sqlalchemy import (
    ARRAY,
    BigInteger,
    DateTime,
    Enum,
    Integer,
    Interval,
    LargeBinary,
    Numeric,
    String,
    Uuid,
    bindparam,
    cast,
    event,
    exc,
    func,
    insert,
    literal,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from transaction import TransactionManager

from competition.core.database import Database, DatabaseSettings
from competition.core.jobs.models import Job
from competition.core.work import NEW_JOB, begin

EVERYTHING = select(
    *(
        cast(bindparam(name, type_=kind), kind).label(f"the_{name}")
        for name, kind in {
            "uuid": Uuid(),
            "uuids": ARRAY(Uuid()),
            "time": DateTime(timezone=True),
            "json": JSONB(),
            "enum": Enum("red", "green", name="colour", native_enum=False),
            "number": Numeric(10, 2),
            "bytes": LargeBinary(),
            "text": String(),
            "interval": Interval(),
        }.items()
    ),
    literal("50 % of it").label("percent"),
    func.now() > datetime(2020, 1, 1, tzinfo=UTC),
)
VALUES = {
    "uuid": UUID(int=1),
    "uuids": [UUID(int=1), UUID(int=2)],
    "time": datetime(2026, 1, 1, tzinfo=UTC),
    "json": {"a": [1, None]},
    "enum": "red",
    "number": Decimal("1.50"),
    "bytes": b"\x00\xff",
    "text": "Ελένη",
    "interval": datetime(2026, 1, 2) - datetime(2026, 1, 1),
}
TWICE = select(bindparam("number", type_=Integer).label("n")).union_all(
    select(bindparam("number", type_=Integer) + 1)
)
JOB = {
    "key": "",
    "args": {},
    "run_after": VALUES["time"],
    "created_at": VALUES["time"],
    "request_id": "1",
    "traceparent": None,
}
COPIED = "key", "args", "run_after", "created_at", "request_id", "state", "attempts"
TO_COPY = [Job.__table__.c[name] for name in COPIED]
COPY = (
    insert(Job.__table__)
    .from_select(
        ["name", *COPIED],
        select(bindparam("named", type_=String), *TO_COPY).where(Job.name == bindparam("of")),
    )
    .returning(Job.__table__.c.name)
)
OWN_PROCESS = text("select pg_backend_pid()")
END_OWN_PROCESS = text("select pg_terminate_backend(pg_backend_pid())")


@pytest.fixture
def db(live):
    with begin(live.runtime) as work:
        yield work.db


@pytest.mark.parametrize("values", [VALUES, dict.fromkeys(VALUES)])
def test_every_type_goes_and_comes_as_it_does_by_sqlalchemy(db, values):
    [first], [asked] = (db.read(EVERYTHING, values) for _ in range(2))
    assert not db.in_transaction()
    [usual] = db.execute(EVERYTHING, values).all()
    assert tuple(first) == tuple(asked) == tuple(usual)
    assert asked._fields == usual._fields
    assert asked.the_text == values["text"]


def test_values_that_it_was_built_with_are_in_its_text_with_their_types(db):
    built_with = [
        *(literal(each) for each in (5, -5, 2**40, "it's 50 %", True, timedelta(minutes=-90))),
        literal(5, BigInteger),
    ]
    typed = [func.pg_typeof(each).cast(String) for each in built_with]
    statement = select(*built_with, *typed, bindparam("number", 1, Integer))
    assert db.database.prepared(statement).text.count("$") == 1
    [[*first]] = db.alone(statement, {})
    [[*second]] = db.alone(statement, {"number": 2})
    [[*usual]] = db.execute(statement)
    assert first == usual
    assert second == [*usual[:-1], 2]


def test_each_asking_has_its_own_values_and_rows(db):
    first, second = (db.read(TWICE, {"number": number}) for number in (1, 5))
    assert [row.n for row in first] == [1, 2]
    assert [row.n for row in second] == [5, 6]


def test_what_is_not_given_is_not_null(db):
    with pytest.raises(KeyError, match="number"):
        db.read(TWICE, {})


def test_a_list_that_would_be_in_the_text_is_refused(db):
    among = select(literal(1)).where(literal(1).in_(bindparam("among", expanding=True)))
    with pytest.raises(ValueError, match="can not be prepared"):
        db.read(among, {"among": [1]})


def test_a_failure_is_sqlalchemys_and_quotes_no_row(db):
    failing = text("select cast(:word as integer)")
    with pytest.raises(exc.DataError) as raised:
        db.read(failing, {"word": "secret"})
    assert "DETAIL" not in str(raised.value)
    assert "[parameters" not in str(raised.value)
    assert db.read(text("select 1"), {})[0][0] == 1


def test_a_lost_connection_is_replaced(db):
    [[pid]] = db.alone(OWN_PROCESS, {})
    with pytest.raises(exc.OperationalError) as raised:
        db.alone(END_OWN_PROCESS, {})
    assert raised.value.connection_invalidated
    [[now]] = db.alone(OWN_PROCESS, {})
    assert now != pid


def test_a_change_is_part_of_the_transaction(live):
    with begin(live.runtime) as work:
        work.db.add(Job(**JOB, name="pending"))
        # What is waiting to be written comes first, and is seen.
        assert work.db.change(COPY, {"named": "copied", "of": "pending"}) == [("copied",)]
        assert work.db.change(NEW_JOB, {**JOB, "name": "changed"}) == []
    with pytest.raises(ZeroDivisionError), begin(live.runtime) as work:
        work.db.change(COPY, {"named": "undone", "of": "changed"})
        raise ZeroDivisionError
    with begin(live.runtime) as work:
        stored = work.db.scalars(select(Job.name).where(Job.request_id == "1").order_by(Job.name))
        assert stored.all() == ["changed", "copied", "pending"]


def test_a_change_that_fails_does_so_as_by_sqlalchemy(live):
    with pytest.raises(exc.IntegrityError) as raised, begin(live.runtime) as work:
        work.db.change(NEW_JOB, {**JOB, "name": None})
    assert raised.value.orig.diag.column_name == "name"
    assert "DETAIL" not in str(raised.value)
    with pytest.raises(exc.OperationalError) as raised, begin(live.runtime) as work:
        work.db.change(NEW_JOB, {**JOB, "name": "lost"})
        work.db.change(END_OWN_PROCESS, {})
    assert raised.value.connection_invalidated
    with begin(live.runtime) as work:
        assert work.db.scalar(select(Job.id).where(Job.name == "lost")) is None


def test_a_default_that_sqlalchemy_would_fill_in_is_refused(db):
    with pytest.raises(ValueError, match="fills in"):
        db.change(insert(Job.__table__), {**JOB, "name": "without a state"})


def test_without_a_database_it_fails_as_sqlalchemy_does(live):
    gone = Database.connect(live.runtime.settings[DatabaseSettings], "postgresql+psycopg://x:1/x")
    with TransactionManager() as manager, pytest.raises(exc.OperationalError):
        gone.session(manager).read(TWICE, {"number": 1})


def test_who_wants_to_hear_of_statements_does(db, live):
    heard = []

    def hear(connection, cursor, statement, *rest):
        heard.append(statement)

    engine = live.runtime.database.bind
    db.read(TWICE, {"number": 1})
    event.listen(engine, "before_cursor_execute", hear)
    try:
        db.read(TWICE, {"number": 1})
    finally:
        event.remove(engine, "before_cursor_execute", hear)
    db.read(TWICE, {"number": 1})
    assert len(heard) == 1
