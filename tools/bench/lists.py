"""Measure the lists of people with 100,000 candidates, and print PostgreSQL's plan of each page."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import create_engine, event, text

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.runtime import database_url
from competition.core.web.validation import deserialize
from competition.core.work import Work, begin
from competition.plugins.people import schemas
from competition.plugins.people.services import listing

PEOPLE = """
insert into "user" (
    id, kind, email, password_hash, password_is_generated, first_name, last_name, phone, role,
    is_active, is_email_verified, is_invited, verification, permissions, date_joined, updated_at,
    number, school
)
select
    gen_random_uuid(), 'candidate', 'pupil' || n || '@school' || n % 500 || '.example', 'x', false,
    (array['Ada', 'Björn', 'Chloé', 'Đorđe', 'Ελένη'])[1 + n % 5], 'Surname' || n, '+49123',
    (array['screening', 'screening', 'screening', 'league', 'final'])[1 + n % 5],
    n % 50 > 0, n % 40 > 0, false,
    (array['approved', 'approved', 'pending', 'not_submitted'])[1 + n % 4], '{}',
    now() - n * interval '1 minute', now(), n, 'School of the town ' || n % 500
from generate_series(1, 100000) n
"""
QUERIES: list[dict[str, str]] = [
    {},
    {"page": "2500"},
    {"ordering": "last_name"},
    {"ordering": "school"},
    {"search": "surname4711"},
    {"search": "ada town 123"},
    {"search": "school77.example"},
    {"search": "nobody at all"},
    {"search": "a"},
    {"school": "town 321"},
    {"role": "final"},
    {"status": "deactivated"},
    {"status": "active"},
    {"verified": "false"},
    {"created_after": "2100-01-01T00:00:00"},
    {"role": "league", "school": "town 8", "verified": "true", "search": "pupil1"},
]


@contextmanager
def recorded(work: Work) -> Iterator[list[tuple[str, Any]]]:
    """Context manager: the list of the statements that `work` executes, with their parameters."""
    statements: list[tuple[str, Any]] = []
    connection = work.db.connection()

    def record(_connection: Any, _cursor: Any, sql: str, parameters: Any, *_: Any) -> None:
        statements.append((sql, parameters))

    event.listen(connection, "before_cursor_execute", record)
    yield statements
    event.remove(connection, "before_cursor_execute", record)


def plan(work: Work, sql: str, parameters: Any) -> str:
    """The nodes of a statement's plan that read tables."""
    lines = work.db.connection().exec_driver_sql(f"explain {sql}", parameters).scalars()
    nodes = [line.split("(cost")[0].replace("->", "").strip() for line in lines if "(cost" in line]
    return "; ".join(node for node in nodes if "Scan" in node)


def show(work: Work, query: dict[str, str]) -> None:
    validated = deserialize(schemas.CandidateFilters, query)
    times = []
    for _ in range(3):
        with recorded(work) as statements:
            begun = time.perf_counter()
            listing.page_of_candidates(work, validated)
            times.append(time.perf_counter() - begun)
    print(f"{1000 * min(times):7.1f} ms  {query or 'the first page'}")
    for sql, parameters in statements:
        kind = "count" if "count(" in sql.split("FROM")[0] else "page"
        print(f"            {kind:5}  {plan(work, sql, parameters)}")


def main(ini: Ini) -> None:
    database.upgrade(ini)
    with ini.runtime() as runtime:
        with begin(runtime) as work:
            work.db.execute(text(PEOPLE))
        with create_engine(database_url(ini.settings())).connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            connection.execute(text("vacuum analyze"))
        with begin(runtime) as work:
            for query in QUERIES:
                show(work, query)
