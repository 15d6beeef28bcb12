"""A worker dies of SIGKILL in the middle of its statement, and nothing is lost."""

import signal

import psycopg
from sqlalchemy import make_url, select

from competition.core.db import DatabaseSettings
from competition.core.jobs.models import Job
from competition.core.runtime import RedisSettings
from competition.core.work import begin
from competition.plugins.scores.models import Score
from tests.support.exam_day import make_exam, sit
from tests.support.processes import Launcher, competition, environment
from tests.support.repository import DEVELOPMENT_INI
from tests.support.waiting import wait_until


def test_the_score_still_arrives(live, tmp_path):
    exam_id, person = make_exam(live, live.staff("admin")), live.candidate()
    sit(live, person, exam_id, "ABCDABCDAA")
    settings = live.runtime.settings
    url = settings[DatabaseSettings].url
    launcher = Launcher(
        tmp_path,
        environment(
            tmp_path / "var",
            COMPETITION_INI=str(DEVELOPMENT_INI),
            COMPETITION_DATABASE_URL=url,
            COMPETITION_REDIS_URL=settings[RedisSettings].url,
            COMPETITION_SIGNING_KEYS="development-" + "k" * 32,
            COMPETITION_JOBS_LEASE="3",
            COMPETITION_JOBS_SWEEP="0.2",
        ),
    )

    def score():
        with begin(live.runtime) as work:
            return work.db.get(Score, (exam_id, person.id))

    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain) as blocker, psycopg.connect(plain, autocommit=True) as watcher:
        blocker.execute("lock table score in share row exclusive mode")
        first = launcher.start(competition("worker"))

        def is_scoring():
            found = watcher.execute(
                "select 1 from pg_stat_activity where datname = current_database()"
                " and query ilike 'insert into score%' and wait_event_type = 'Lock'"
            )
            return found.fetchone() is not None

        wait_until(is_scoring)
        first.end(signal.SIGKILL)
        blocker.rollback()
        assert score() is None
    second = launcher.start(competition("worker"))
    wait_until(lambda: score() is not None)
    second.end(signal.SIGTERM)
    assert float(score().value) == 90.0
    with begin(live.runtime) as work:
        [job] = work.db.scalars(select(Job).where(Job.name == "scores.score"))
    assert (job.state, job.attempts) == ("done", 2)
