"""Measure previewing and applying a regrade of a published exam with 1,000, 10,000 and 100,000
candidates. A first regrade changes a sixth of the scores, and a second regrade changes all
scores."""

from typing import Any

from sqlalchemy import text

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.runtime import Runtime
from competition.core.work import begin
from competition.plugins.leaderboard.services import publishing
from competition.plugins.regrades.services import applying, reading
from tools.bench.seasons import analyze, seasons, timed

CHANGES: tuple[dict[str, Any], ...] = ({"accept": ["A", "B"]}, {"void": True})
QUESTION = text("select question_ids[1] from paper where exam_id = :exam_id")


def regrade(runtime: Runtime, size: int, exam_id: int, change: dict[str, Any]) -> None:
    with begin(runtime) as work:
        question = work.db.execute(QUESTION, {"exam_id": exam_id}).scalar_one()
    with timed(runtime, size, "preview") as work:
        exam = applying.over(work, exam_id)
        row = applying.preview(work, exam, [{"question": question, **change}], "It was wrong.")
        regrade_id, changed = row.id, row.scores_changed
    with timed(runtime, size, f"apply, which changes {changed:,} scores") as work:
        applying.apply(work, reading.get(work, exam_id, regrade_id))


def main(ini: Ini) -> None:
    database.upgrade(ini)
    with ini.runtime() as runtime:
        for size, [exam_id] in seasons(ini, runtime, 1):
            with timed(runtime, size, "publish") as work:
                assert publishing.publish_exams(work, {exam_id})
            analyze(ini)
            for change in CHANGES:
                regrade(runtime, size, exam_id, change)
