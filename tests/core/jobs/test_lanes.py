"""Slow work has threads of its own."""

import threading

import pytest
from sqlalchemy import select

from competition.core.jobs.lanes import MAIN, SLOW, Lane, Lanes
from competition.core.jobs.models import Job
from competition.core.jobs.runner import Runner
from competition.core.work import begin
from competition.testing.waiting import PATIENCE, wait_until


@pytest.fixture
def lanes(live):
    lanes = Lanes({SLOW: Lane(SLOW, 1)}, Runner(live.runtime).run)
    yield lanes
    lanes.close()


def ask(service, name):
    with begin(service.runtime) as work:
        work.enqueue(name)
        return work.db.scalars(select(Job.id).where(Job.name == name).order_by(Job.id)).all()[-1]


def state(service, job_id):
    with begin(service.runtime) as work:
        return work.db.get_one(Job, job_id).state


def test_quick_work_never_waits_behind_slow_work(live, add_task, lanes):
    let_go = threading.Event()
    slow = add_task(live, lambda work: let_go.wait(PATIENCE) and None, lane=SLOW)
    exports = [ask(live, slow) for _ in range(5)]
    for job_id in exports:
        lanes.take(job_id, SLOW)
    wait_until(lambda: state(live, exports[0]) == "running")

    def score(work):
        pass

    quick = ask(live, add_task(live, score))
    lanes.take(quick, MAIN)
    assert state(live, quick) == "done"
    assert [state(live, each) for each in exports[1:]] == ["pending"] * 4
    let_go.set()
    wait_until(lambda: {state(live, each) for each in exports} == {"done"})


def test_a_job_that_is_rung_for_again_waits_once(live, add_task, lanes):
    let_go, runs = threading.Event(), []

    def export(work):
        runs.append(work.now)
        let_go.wait(PATIENCE)

    first, second = [ask(live, add_task(live, export, lane=SLOW)) for _ in range(2)]
    lanes.take(first, SLOW)
    wait_until(lambda: len(runs) == 1)
    for _ in range(100):
        lanes.take(second, SLOW)
    assert lanes.waiting(SLOW) == 1
    let_go.set()
    wait_until(lambda: state(live, second) == "done")
    assert len(runs) == 2


def test_what_waits_when_a_worker_stops_is_for_the_next_one(live, add_task, lanes):
    let_go = threading.Event()
    name = add_task(live, lambda work: let_go.wait(PATIENCE) and None, lane=SLOW)
    first, second = ask(live, name), ask(live, name)
    lanes.take(first, SLOW)
    wait_until(lambda: state(live, first) == "running")
    lanes.take(second, SLOW)
    closing = threading.Thread(target=lanes.close)
    closing.start()
    wait_until(lambda: lanes.waiting(SLOW) == 0)
    let_go.set()
    closing.join()
    assert (state(live, first), state(live, second)) == ("done", "pending")
    lanes.take(second, SLOW)
    assert state(live, second) == "pending"


def test_the_sweep_rings_in_the_lane_of_the_task(app, add_task, monkeypatch):
    from competition.core.jobs.sweep import Sweep

    rung = []
    job_id = ask(app, add_task(app, lambda work: None, lane=SLOW))
    monkeypatch.setattr(app.runtime.doorbell, "ring", lambda *ring: rung.append(ring))
    Sweep(app.runtime).run()
    assert (job_id, SLOW) in rung
