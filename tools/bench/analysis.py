"""Measure the analysis of an exam with 40 questions and 1,000, 10,000 and 100,000 candidates."""

from competition.cli import database
from competition.cli.ini import Ini
from competition.plugins.analysis import services
from competition.plugins.exams.models import Exam
from tools.bench.seasons import seasons, timed


def main(ini: Ini) -> None:
    database.upgrade(ini)
    with ini.runtime() as runtime:
        for size, [exam_id] in seasons(ini, runtime, 1):
            for _ in range(2):
                with timed(runtime, size, "analysis") as work:
                    services.analyse(work, work.db.get_one(Exam, exam_id))
