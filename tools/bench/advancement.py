"""Measure an advancement of 1,000, 10,000 and 100,000 candidates after two rounds: publishing,
previewing, applying and undoing it."""

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.work import begin
from competition.plugins.advancement.services import applying, plans, ranking
from competition.plugins.leaderboard.services import publishing
from tools.bench.seasons import ADMIN, analyze, seasons, timed


def main(ini: Ini) -> None:
    database.upgrade(ini)
    with ini.runtime() as runtime:
        for size, exams in seasons(ini, runtime, 2):
            with begin(runtime) as work:
                work.actor = ADMIN
                plan = {
                    "from_stage": "screening",
                    "to_stage": "league",
                    "exams": exams,
                    "rule": {"percent": 10},
                    "ties": "in",
                }
                plan_id = plans.create(work, plan).id
            with timed(runtime, size, "publish both rounds") as work:
                publishing.publish_exams(work, exams)
            with timed(runtime, size, "publish one of them again") as work:
                publishing.publish_exams(work, exams[:1])
            analyze(ini)
            for page in (1, size // 50):
                with timed(runtime, size, f"preview, page {page:,}") as work:
                    query = {"page": page, "limit": None, "page_size": None}
                    ranking.preview(work, plans.get(work, plan_id), query)
            with timed(runtime, size, "apply, for a tenth of them") as work:
                applying.apply(work, plans.locked(work, plan_id))
            with timed(runtime, size, "undo") as work:
                applying.undo(work, plans.locked(work, plan_id))
