"""Measure the lists of people with 100,000 candidates, and print PostgreSQL's plan of each page.

Then measure the requests about an exam that staff repeat, with 1,000 to 100,000 candidates.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event, text

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.web.validation import deserialize
from competition.core.work import Work, begin
from competition.plugins.clarifications.services import announcing
from competition.plugins.exams.models import Exam
from competition.plugins.invigilation import schemas as invigilation_schemas
from competition.plugins.invigilation.services import watching
from competition.plugins.people import schemas
from competition.plugins.people.services import listing
from competition.plugins.preflight.services import planning
from competition.plugins.scores import schemas as score_schemas
from competition.plugins.scores.services import scoring
from competition.plugins.scores.services.statistics import exam as statistics
from tools.bench.seasons import analyze, seasons, timed

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
    now() - n * interval '1 minute', now(), nextval('candidate_number'),
    'School of the town ' || n % 500
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


def page(schema: Any, number: int = 1) -> Any:
    return deserialize(schema, {"page": f"{number}"})


# What the requests about an exam read.
READS: dict[str, Callable[[Work, Exam], object]] = {
    "scores, page 1": lambda work, exam: statistics.page_of_results(
        work, exam, page(score_schemas.ScoreFilters)
    ),
    "scores, page 40": lambda work, exam: statistics.page_of_results(
        work, exam, page(score_schemas.ScoreFilters, 40)
    ),
    "average score": lambda work, exam: statistics.average_scores(work, [exam.id]),
    "invigilation, counts": watching.counts,
    "invigilation, page 1": lambda work, exam: watching.page_of_seats(
        work, exam, page(invigilation_schemas.WatchQuery), watching.counts(work, exam)
    ),
    "preview of an announcement": lambda work, exam: announcing.preview(work, exam.id),
    "preflight, candidates": lambda work, exam: planning.eligible(work, exam.id),
}


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
            work.db.execute(text("set local statement_timeout = 0"))
            work.db.execute(text(PEOPLE))
        analyze(ini)
        with begin(runtime) as work:
            for query in QUERIES:
                show(work, query)
        for size, [exam_id] in seasons(ini, runtime, rounds=1):
            with begin(runtime) as work:
                work.db.execute(text("set local statement_timeout = 0"))
                scoring.score_submissions(work, exam_id)
            analyze(ini)
            for what, read in READS.items():
                with timed(runtime, size, what) as work:
                    read(work, work.db.get_one(Exam, exam_id))
