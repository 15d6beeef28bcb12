"""An exam that thousands sat, which the planner has not heard of yet; and how much work statements
over it are."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event, text

from competition.core.work import Work, begin
from competition.testing.service import Service

# One candidate a sheet.
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
    insert into attempt (exam_id, candidate_id, started_at)
    select :exam_id, id, now() from candidate returning candidate_id
)
insert into submission (exam_id, candidate_id, answers, submitted_at)
select :exam_id, candidate_id, answers, now() from attempt join sheet on sheet.id = candidate_id
"""
EXPLAINABLE = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
RESULTS = ("attempt", "submission", "score", "board_entry", "extra_time")


def hand_in(work: Work, exam_id: int, sheets: Sequence[str]) -> None:
    """To an exam whose paper is frozen, one candidate a sheet."""
    work.db.execute(text(HANDED_IN), {"exam_id": exam_id, "sheets": [*sheets]})


def analyze_for_good(live: Service) -> None:
    """Now, and never again: what comes from here on is unknown to the planner."""
    with begin(live.runtime) as work:
        for table in (*RESULTS, '"user"'):
            work.db.execute(text(f"alter table {table} set (autovacuum_enabled = off)"))
        work.db.execute(text("analyze"))


def mislead(work: Work) -> None:
    """Have the planner expect a row or none of whatever it reads: it takes the number of a table's
    rows from its size and how many were on a page."""
    work.db.execute(
        text(
            "update pg_class set reltuples = 1, relpages = 1000000"
            " where relkind = 'r' and relnamespace = 'public'::regnamespace"
        )
    )


@contextmanager
def explained(work: Work) -> Iterator[dict[str, float]]:
    """By the statement: through how many rows the busiest part of its plan went. Each is done
    twice, and once taken back."""
    rows: dict[str, float] = {}
    # A transaction begins: there are no savepoints without one.
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
    """Of each node, with those that it has read in vain."""
    removed = sum(count for name, count in node.items() if name.startswith("Rows Removed"))
    yield (node["Actual Rows"] + removed) * node["Actual Loops"]
    for below in node.get("Plans", ()):
        yield from _rows(below)
