"""Who advances of 100,000 candidates after two rounds: how quickly it is published, previewed and
applied."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import create_engine, text

from competition.bench.lists import PEOPLE
from competition.cli import database
from competition.cli.ini import Ini
from competition.core.runtime import database_url
from competition.core.work import begin
from competition.plugins.advancement.services import applying, plans, ranking
from competition.plugins.leaderboard.services import publishing

VERIFIED = """
update "user"
set role = 'screening', verification = 'approved', is_email_verified = true, is_active = true
"""
EXAMS = """
insert into exam (
    title, stage, round, description, scheduled_date, countdown_minutes, open_duration_hours,
    closes_at, is_active, created_at, updated_at
)
select
    'Round ' || n, 'screening', n, '', now() - interval '2 days', 60, 12,
    now() - interval '36 hours', true, now(), now()
from generate_series(1, 2) n
"""
SCORES = """
insert into score (exam_id, candidate_id, value, is_auto, recorded_at)
select exam.id, "user".id, round((random() * 40)::numeric) * 2.5, true, now()
from exam cross join "user"
"""
PLAN = """
insert into advancement_plan (from_stage, to_stage, rule_kind, rule_value, ties, created_at)
values ('screening', 'league', 'percent', 10, 'in', now())
"""
PLANNED = "insert into advancement_exam (plan_id, exam_id, position) select 1, id, id from exam"


@contextmanager
def timed(what: str) -> Iterator[None]:
    begun = time.perf_counter()
    yield
    print(f"{1000 * (time.perf_counter() - begun):7.1f} ms  {what}")


def main(ini: Ini) -> None:
    database.upgrade(ini)
    with ini.runtime() as runtime:
        with begin(runtime) as work:
            # On a busy machine it takes longer than a statement of the service may.
            work.db.execute(text("set local statement_timeout = 0"))
            for statement in (PEOPLE, VERIFIED, EXAMS, SCORES, PLAN, PLANNED):
                work.db.execute(text(statement))
        with create_engine(database_url(ini.settings())).connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            connection.execute(text("vacuum analyze"))
        with timed("publishing both rounds"), begin(runtime) as work:
            publishing.publish(work)
        with timed("publishing one of them again"), begin(runtime) as work:
            publishing.publish_exams(work, [1])
        for page in (1, 2500):
            with timed(f"a preview, page {page}"), begin(runtime) as work:
                query = {"page": page, "limit": None, "page_size": None}
                ranking.preview(work, plans.get(work, 1), query)
        with timed("applying it, for a tenth of them"), begin(runtime) as work:
            applying.apply(work, plans.locked(work, 1))
        with timed("undoing it"), begin(runtime) as work:
            applying.undo(work, plans.locked(work, 1))
