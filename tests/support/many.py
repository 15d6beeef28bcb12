"""Exams with thousands of submissions, for tests that limit the work of SQL statements.

The statistics of PostgreSQL's planner are outdated on purpose.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event, text

from competition.core.work import Work, begin
from competition.testing.service import Service

# Each sheet creates one candidate.
HANDED_IN = """
with sheet as materialized (
    select gen_random_uuid() as id, answers from unnest(cast(:sheets as text[])) answers
), candidate as (
    insert into "user" (id, kind, email, password_hash, password_is_generated, first_name,
        last_name, phone, role, is_active, is_email_verified, is_invited, verification, permissions,
        date_joined, updated_at, number, school)
    select id, 'candidate', id || '@school.example', '', false, 'Ada', 'Lovelace', '', 'screening',
        true, true, false, 'approved', '{}', now(), now(), nextval('candidate_number'), ''
    from sheet returning id
), attempt as (
    insert into attempt (exam_id, candidate_id, started_at, extra_percent, is_opened)
    select :exam_id, id, now(), 0, true from candidate returning candidate_id
)
insert into submission (exam_id, candidate_id, answers, submitted_at, handed_in_by)
select :exam_id, candidate_id, answers, now(), 'candidate'
    from attempt join sheet on sheet.id = candidate_id
"""
EXPLAINABLE = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
RESULTS = ("attempt", "submission", "score", "board_entry", "extra_time")


def hand_in(work: Work, exam_id: int, sheets: Sequence[str]) -> None:
    """Store one submission per sheet, each from a new candidate. The exam's paper must be
    frozen.
    """
    work.db.execute(text(HANDED_IN), {"exam_id": exam_id, "sheets": [*sheets]})


def analyze_once(live: Service) -> None:
    """Analyze the tables now and disable autovacuum, so that the planner doesn't learn of later
    rows.
    """
    with begin(live.runtime) as work:
        for table in (*RESULTS, '"user"'):
            work.db.execute(text(f"alter table {table} set (autovacuum_enabled = off)"))
        work.db.execute(text("analyze"))


def mislead(work: Work) -> None:
    """Make the planner expect almost no rows in any table.

    The planner estimates the number of rows from the size of the table and the stored number of
    rows per page.
    """
    work.db.execute(
        text(
            "update pg_class set reltuples = 1, relpages = 1000000"
            " where relkind = 'r' and relnamespace = 'public'::regnamespace"
        )
    )


@contextmanager
def explained(work: Work) -> Iterator[dict[str, float]]:
    """Record, for each statement, how many rows the busiest node of its plan processes.

    Each statement is executed twice. One of the two executions is rolled back.
    """
    rows: dict[str, float] = {}
    # Start a transaction, because savepoints need one.
    work.lock("tests.explained")
    connection = work.db.connection()

    def explain(_: Any, cursor: Any, sql: str, values: Any, context: Any, many: bool) -> None:
        if many or not sql.lstrip().upper().startswith(EXPLAINABLE):
            return
        other = cursor.connection.cursor()
        other.execute("savepoint explained")
        [[[plan]]] = other.execute(f"explain (analyze, format json) {sql}", values).fetchall()
        other.execute("rollback to savepoint explained")
        rows[sql] = max(_rows(plan["Plan"]))

    event.listen(connection, "before_cursor_execute", explain)
    try:
        yield rows
    finally:
        event.remove(connection, "before_cursor_execute", explain)


def _rows(node: dict[str, Any]) -> Iterator[float]:
    """The number of rows that each node processes, including those that it filters out."""
    removed = sum(count for name, count in node.items() if name.startswith("Rows Removed"))
    yield (node["Actual Rows"] + removed) * node["Actual Loops"]
    for below in node.get("Plans", ()):
        yield from _rows(below)
