"""Slow jobs have their own threads."""

import threading

import pytest
from sqlalchemy import select

from competition.core.jobs import jobs
from competition.core.jobs.doorbell import Doorbell
from competition.core.jobs.lanes import MAIN, SLOW, Lane, Lanes
from competition.core.jobs.models import Job
from competition.core.jobs.runner import Runner
from competition.core.monitoring.logs import SELDOM
from competition.core.work import begin
from competition.testing.waiting import PATIENCE, wait_until


@pytest.fixture
def lanes(live):
    """Lanes that query for jobs only after a wake-up, because their polling period is longer than a
    test.
    """
    lanes = Lanes([Lane(MAIN, 1), Lane(SLOW, 1)], Runner(live.runtime).run_next, PATIENCE)
    lanes.start()
    yield lanes
    lanes.close()


def ask(service, name):
    with begin(service.runtime) as work:
        jobs.enqueue(work, name)
        return work.db.scalars(select(Job.id).where(Job.name == name).order_by(Job.id)).all()[-1]


def state(service, job_id):
    with begin(service.runtime) as work:
        return work.db.get_one(Job, job_id).state


def test_quick_work_never_waits_behind_slow_work(live, add_task, lanes):
    let_go = threading.Event()
    slow = add_task(live, lambda work: let_go.wait(PATIENCE) and None, lane=SLOW)
    exports = [ask(live, slow) for _ in range(5)]
    lanes.ring(SLOW)
    wait_until(lambda: state(live, exports[0]) == "running")

    def score(work):
        pass

    quick = ask(live, add_task(live, score))
    lanes.ring(MAIN)
    wait_until(lambda: state(live, quick) == "done")
    assert [state(live, each) for each in exports[1:]] == ["pending"] * 4
    let_go.set()
    wait_until(lambda: {state(live, each) for each in exports} == {"done"})


def test_a_wake_up_while_all_threads_are_busy_is_not_lost(live, add_task, lanes):
    """A thread that polled just before the commit polls again."""
    let_go = threading.Event()
    name = add_task(live, lambda work: let_go.wait(PATIENCE) and None, lane=SLOW)
    first = ask(live, name)
    lanes.ring(SLOW)
    wait_until(lambda: state(live, first) == "running")
    second = ask(live, name)
    for _ in range(100):
        lanes.ring(SLOW)
    let_go.set()
    wait_until(lambda: state(live, second) == "done")


def test_a_wake_up_for_an_unknown_lane_is_handled(live, add_task, lanes):
    job_id = ask(live, add_task(live, lambda work: None, lane="of a plugin that is off"))
    lanes.ring("of a plugin that is off")
    wait_until(lambda: state(live, job_id) == "done")


def test_a_job_without_a_wake_up_is_found(live, add_task):
    lanes = Lanes([Lane(MAIN, 1)], Runner(live.runtime).run_next, 0.05)
    lanes.start()
    job_id = ask(live, add_task(live, lambda work: None))
    wait_until(lambda: state(live, job_id) == "done")
    lanes.close()


def test_lanes_continue_after_an_outage_of_the_database(caplog):
    SELDOM.forget()
    away, found = [1, 2, 3], threading.Event()

    def run_next(lane):
        if away:
            raise OSError(away.pop())
        found.set()
        return False

    lanes = Lanes([Lane(MAIN, 1)], run_next, 0.01)
    lanes.start()
    assert found.wait(PATIENCE)
    lanes.close()
    # Only the first of three failures is logged.
    assert [each.getMessage() for each in caplog.records] == ["no job can be run: OSError"]


def test_a_stopping_worker_leaves_waiting_jobs_to_the_next(live, add_task, lanes):
    let_go = threading.Event()
    name = add_task(live, lambda work: let_go.wait(PATIENCE) and None, lane=SLOW)
    first, second = ask(live, name), ask(live, name)
    lanes.ring(SLOW)
    wait_until(lambda: state(live, first) == "running")
    closing = threading.Thread(target=lanes.close)
    closing.start()
    wait_until(lanes.closed.is_set)
    let_go.set()
    closing.join()
    assert (state(live, first), state(live, second)) == ("done", "pending")


def test_enqueueing_wakes_the_lane_of_the_task(app, add_task, monkeypatch):
    rung = []
    monkeypatch.setattr(app.runtime[Doorbell], "ring", rung.append)
    ask(app, add_task(app, lambda work: None, lane=SLOW))
    assert rung == [SLOW]
