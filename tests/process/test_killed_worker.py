"""Kill a worker with SIGKILL in the middle of a statement: no job is lost."""

import signal
from datetime import timedelta

from sqlalchemy import func, select

from competition.core.audit import chain
from competition.core.jobs.models import Job
from competition.core.work import begin
from competition.plugins.leaderboard.models import Entry, Publication, Snapshot
from competition.plugins.scores.models import Score
from competition.testing.exam_day import make_exam, sit
from competition.testing.races import waits_for_a_lock
from competition.testing.waiting import wait_until

# How long the lease of a job lasts, in seconds.
LEASE = 15


def test_a_score_is_stored_although_its_worker_was_killed(live, start_worker, sessions):
    exam_id, person = make_exam(live, live.staff("admin")), live.candidate()
    sit(live, person, exam_id, "ABCDABCDAA")

    def score():
        with begin(live.runtime) as work:
            return work.db.get(Score, (exam_id, person.id))

    blocker, watcher = sessions
    blocker.execute("lock table score in share row exclusive mode")
    first = start_worker()
    wait_until(lambda: waits_for_a_lock(watcher, "insert into score"))
    first.end(signal.SIGKILL)
    blocker.rollback()
    assert score() is None
    second = start_worker()
    wait_until(lambda: score() is not None)
    second.end(signal.SIGTERM)
    assert float(score().value) == 90.0
    with begin(live.runtime) as work:
        [job] = work.db.scalars(select(Job).where(Job.name == "scores.score"))
    assert job.state == "done" and job.attempts > 1


def test_a_running_worker_keeps_its_lease_on_a_long_job(live, start_worker, sessions):
    """The job takes longer than a lease."""
    exam_id, person = make_exam(live, live.staff("admin")), live.candidate()
    sit(live, person, exam_id, "ABCDABCDAA")

    def job():
        with begin(live.runtime) as work:
            return work.db.scalars(select(Job).where(Job.name == "scores.score")).one()

    blocker, watcher = sessions
    blocker.execute("lock table score in share row exclusive mode")
    # The lease is long enough that the worker does not lose it if the machine stops for some
    # seconds.
    lease = {"COMPETITION_JOBS_LEASE": str(LEASE)}
    start_worker(**lease)
    wait_until(lambda: waits_for_a_lock(watcher, "insert into score"))
    until = job().lease_until
    start_worker(**lease)
    wait_until(lambda: job().lease_until > until + timedelta(seconds=LEASE))
    blocker.rollback()
    wait_until(lambda: job().state == "done")
    assert job().attempts == 1


def test_a_scheduled_publication_happens_once_and_completely(live, start_worker, sessions):
    admin, ada = live.staff("admin"), live.candidate()
    exam_id = make_exam(live, admin)
    sit(live, ada, exam_id, "ABCDABCDAA")
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    order = {"exams": [exam_id], "publish_at": live.clock.now.isoformat()}
    admin.post("/leaderboard/publish/", order, status=202)

    def published():
        with begin(live.runtime) as work:
            snapshots = work.db.scalar(select(func.count()).select_from(Snapshot))
            return snapshots, work.db.scalars(select(Publication.status)).all()

    blocker, watcher = sessions
    blocker.execute("lock table board_entry in share row exclusive mode")
    first = start_worker()
    wait_until(lambda: waits_for_a_lock(watcher, "insert into board_entry"))
    first.end(signal.SIGKILL)
    blocker.rollback()
    assert published() == (0, ["scheduled"])
    second = start_worker()
    wait_until(lambda: published() == (1, ["published"]))
    second.end(signal.SIGTERM)
    with begin(live.runtime) as work:
        [entry] = work.db.scalars(select(Entry))
        assert (entry.user_id, float(entry.score)) == (ada.id, 90.0)
        chain.seal(work)
    with begin(live.runtime) as work:
        assert chain.verify(work, chain.head(work))
