"""Every job is run, and takes effect exactly once."""

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NotRequired, TypedDict
from uuid import UUID

import psycopg
import pytest
from sqlalchemy import event, func, select, text
from sqlalchemy.exc import OperationalError

from competition.core.flags import Flag
from competition.core.jobs import jobs
from competition.core.jobs.doorbell import Doorbell
from competition.core.jobs.lanes import MAIN
from competition.core.jobs.leases import Claim, Heartbeat, due
from competition.core.jobs.models import Job
from competition.core.jobs.runner import Runner
from competition.core.jobs.tasks import JobSettings, Task
from competition.core.jobs.ticks import Ticks, tick_of
from competition.core.monitoring.logs import SELDOM
from competition.core.redis import Broker
from competition.core.work import Work, begin
from competition.testing.races import together
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.dead_workers import take_and_die, take_and_die_until_it_is_given_up

FLAG = "a flag that a task leaves behind"


def enqueue(service, name, *, key="", **args):
    """Enqueue a job, commit, and return its id."""
    with begin(service.runtime) as work:
        jobs.enqueue(work, name, key=key, **args)
        return work.db.scalar(select(func.max(Job.id)))


def job(service, job_id):
    with begin(service.runtime) as work:
        return work.db.get_one(Job, job_id)


def stored(service, name):
    with begin(service.runtime) as work:
        return work.db.scalars(select(Job).where(Job.name == name).order_by(Job.id)).all()


def waiting(service):
    """The ids of the jobs that a worker would take, in the order in which it would take them."""
    with begin(service.runtime) as work:
        jobs = select(Job.id).where(due(work.now), Job.name.in_(work.runtime.catalogue[Task]))
        return work.db.scalars(jobs.order_by(Job.run_after, Job.id)).all()


def leave_effect(work):
    work.db.add(Flag(name=FLAG, enabled=True, updated_at=work.now))
    work.db.flush()


def has_effect(service):
    with begin(service.runtime) as work:
        return work.db.get(Flag, FLAG) is not None


def run_in_thread(action):
    thread = threading.Thread(target=action)
    thread.start()
    return thread


@pytest.fixture
def messages(app):
    """A function that returns the wake-ups queued in Redis, after all of them have been sent."""
    key = app.runtime.keyring.derived("queue")[0]

    def provide_another():
        app.runtime.provide(Doorbell, Doorbell(app.runtime.broker, key))

    def read():
        doorbell = app.runtime[Doorbell]
        doorbell.close()
        provide_another()
        return doorbell.huey.pending()

    # Use a separate doorbell, because other tests need that of the application.
    provide_another()
    yield read
    app.runtime[Doorbell].close()


@pytest.fixture
def settings(monkeypatch):
    """A function that changes the JobSettings of a service."""

    def change(service, **values):
        sections = service.runtime.settings.sections
        monkeypatch.setitem(sections, JobSettings, replace(sections[JobSettings], **values))

    return change


# Enqueueing


def test_a_job_enqueued_in_an_aborted_transaction_does_not_exist(app, add_task, messages):
    name = add_task(app, lambda work: None)
    with pytest.raises(ZeroDivisionError), begin(app.runtime) as work:
        jobs.enqueue(work, name)
        raise ZeroDivisionError
    assert stored(app, name) == []
    assert messages() == []


def test_no_worker_is_woken_after_a_failed_commit(app, add_task, messages):
    name = add_task(app, lambda work: None)

    def lose(session):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), begin(app.runtime) as work:
        jobs.enqueue(work, name)
        event.listen(work.db, "before_commit", lose)
    assert stored(app, name) == []
    assert messages() == []


def test_no_worker_is_woken_before_the_commit(app, add_task, messages):
    name = add_task(app, lambda work: None)
    with begin(app.runtime) as work:
        jobs.enqueue(work, name)
        assert messages() == []
    assert len(messages()) == 1


def test_the_wake_up_contains_only_the_lane(app, add_task, messages):
    enqueue(app, add_task(app, lambda work, number: None), number=7)
    [message] = messages()
    assert message.name == "competition_ring"
    assert message.args == ("main",)
    assert message.kwargs == {}


def test_a_wake_up_signed_with_another_key_is_rejected(app, messages, caplog):
    forged = Doorbell(app.runtime.broker, b"another key")
    forged.ring(MAIN)
    forged.close()
    assert app.runtime[Doorbell].huey.pending_count() == 1
    assert messages() == []
    assert "mismatch" in caplog.text


def test_an_unavailable_broker_does_not_roll_back_the_job(app, add_task):
    dead = Doorbell(Broker("unix:///nowhere/redis.sock", 0.1), b"k" * 32)
    app.runtime.provide(Doorbell, dead)
    job_id = enqueue(app, add_task(app, lambda work: None))
    assert job_id in waiting(app)


def test_enqueueing_an_unknown_task_raises_lookup_error(app):
    message = "no Task named 'core.housekeep'. Registered by core: .*core.housekeeping"
    with pytest.raises(LookupError, match=message), begin(app.runtime) as work:
        jobs.enqueue(work, "core.housekeep")


@pytest.mark.parametrize(
    "value", [UUID(int=7), [UUID(int=7)], {1}, datetime(2026, 3, 1, tzinfo=UTC), float("nan"), b""]
)
def test_an_argument_that_is_not_json_raises_type_error(app, add_task, value):
    name = add_task(app, lambda work, value: None)
    with begin(app.runtime) as work:
        with pytest.raises(TypeError, match=r"can't have the argument value: .* JSON"):
            jobs.enqueue(work, name, value=value)
        # The rejected call sent no statement, so the transaction can continue.
        jobs.enqueue(work, name, value=1)
    assert app.run_jobs() == 1


def count(work: Work, exam_id: int, of: str = "all", by: UUID | str | None = None) -> None: ...


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({}, "missing a required argument: 'exam_id'"),
        ({"exam": 7}, "missing a required argument: 'exam_id'"),
        ({"exam_id": 7, "round": 1}, "unexpected keyword argument 'round'"),
        ({"exam_id": 7, "work": 1}, "multiple values for argument 'work'"),
        ({"exam_id": "7"}, "can't have the argument exam_id: it takes int, not str"),
        ({"exam_id": 7, "of": None}, "can't have the argument of: it takes str, not NoneType"),
    ],
)
def test_arguments_that_the_task_does_not_have_raise_type_error(app, add_task, args, message):
    name = add_task(app, count)
    with pytest.raises(TypeError, match=message), begin(app.runtime) as work:
        jobs.enqueue(work, name, **args)


@pytest.mark.parametrize("args", [{"exam_id": 7}, {"exam_id": 7, "of": "one", "by": "me"}])
def test_arguments_that_the_task_has_are_accepted(app, add_task, args):
    enqueue(app, add_task(app, count), **args)
    assert app.run_jobs() == 1


class Counted(TypedDict):
    exam_id: int
    of: NotRequired[str | None]


def count_all(work: Work, jobs: list[Counted]) -> None: ...


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({}, "missing: exam_id"),
        ({"exam_id": 7, "round": 1}, "unknown: round"),
        ({"exam_id": "7"}, "can't have the argument exam_id: it takes int, not str"),
        ({"exam_id": 7, "of": 1}, "can't have the argument of: it takes"),
    ],
)
def test_arguments_that_a_batch_task_does_not_have_raise_type_error(app, add_task, args, message):
    name = add_task(app, count_all, batch=True)
    with pytest.raises(TypeError, match=message), begin(app.runtime) as work:
        jobs.enqueue(work, name, **args)
    for taken in ({"exam_id": 7}, {"exam_id": 7, "of": None}):
        enqueue(app, name, **taken)
    # Jobs with the same key share a run.
    assert app.run_jobs() == 1


# Running


def test_a_task_gets_its_arguments_and_its_job_is_done(app, add_task):
    seen = []
    job_id = enqueue(app, add_task(app, lambda work, **args: seen.append(args)), exam=7, round=1)
    assert Runner(app.runtime).run(job_id)
    assert seen == [{"exam": 7, "round": 1}]
    done = job(app, job_id)
    assert (done.state, done.attempts, done.finished_at) == ("done", 1, app.clock.now)
    assert (done.lease, done.lease_until) == (None, None)


def test_a_job_that_is_done_is_not_run_again(app, add_task):
    seen = []
    job_id = enqueue(app, add_task(app, lambda work: seen.append(1)))
    runner = Runner(app.runtime)
    assert [runner.run(job_id), runner.run(job_id)] == [True, False]
    assert seen == [1]


def test_the_request_id_follows_the_work(app, add_task):
    seen = []
    name = add_task(app, lambda work: seen.append(work.request_id))
    with begin(app.runtime, "the request") as work:
        jobs.enqueue(work, name)
    app.run_jobs()
    assert seen == ["the request"]


def test_the_effect_and_the_state_done_are_one_transaction(live, add_task):
    """Before the commit, other transactions see neither the effect nor the new state. After the
    commit, they see both.
    """
    at_the_end, go_on = threading.Event(), threading.Event()

    def work_slowly(work):
        leave_effect(work)
        at_the_end.set()
        assert go_on.wait(PATIENCE)

    job_id = enqueue(live, add_task(live, work_slowly))
    thread = run_in_thread(lambda: Runner(live.runtime).run(job_id))
    assert at_the_end.wait(PATIENCE)
    assert (has_effect(live), job(live, job_id).state) == (False, "running")
    go_on.set()
    thread.join()
    assert (has_effect(live), job(live, job_id).state) == (True, "done")


def test_a_failed_task_leaves_nothing_behind(app, add_task):
    def fail(work):
        leave_effect(work)
        raise ZeroDivisionError

    Runner(app.runtime).run(enqueue(app, add_task(app, fail)))
    assert not has_effect(app)


def test_a_task_in_steps_commits_each_step(app, add_task):
    def work_in_steps(run):
        with run.work() as work:
            leave_effect(work)
        raise ZeroDivisionError

    job_id = enqueue(app, add_task(app, work_in_steps, steps=True))
    Runner(app.runtime).run(job_id)
    assert has_effect(app)
    assert job(app, job_id).state == "pending"


def test_a_task_in_steps_finishes_its_job(app, add_task):
    def work_in_steps(run, exam):
        with run.finish() as work:
            leave_effect(work)
            assert (exam, work.request_id) == (7, run.claim.request_id)

    job_id = enqueue(app, add_task(app, work_in_steps, steps=True), exam=7)
    Runner(app.runtime).run(job_id)
    assert has_effect(app)
    assert job(app, job_id).state == "done"


def test_the_job_of_a_disabled_plugin_waits(app, add_task):
    name = add_task(app, lambda work: None)
    job_id = enqueue(app, name)
    task = app.runtime.catalogue[Task].pop(name)
    assert job_id not in waiting(app)
    assert not Runner(app.runtime).run(job_id)
    assert (job(app, job_id).state, job(app, job_id).attempts) == ("pending", 0)
    app.runtime.catalogue[Task][name] = task
    app.run_jobs()
    assert job(app, job_id).state == "done"


# Failing


def fail(work, number=0):
    raise ValueError("the password is hunter2")


def test_each_failure_doubles_the_wait_before_the_retry(app, add_task):
    job_id = enqueue(app, add_task(app, fail))
    runner = Runner(app.runtime)
    for pause in (2, 4, 8, 16):
        assert runner.run(job_id)
        assert job(app, job_id).run_after == app.clock.now + timedelta(seconds=pause)
        assert not runner.run(job_id)
        assert job_id not in waiting(app)
        app.clock.advance(seconds=pause)
        assert job_id in waiting(app)


def test_the_wait_has_a_limit(app, add_task, settings):
    settings(app, attempts=11)
    job_id = enqueue(app, add_task(app, fail))
    runner = Runner(app.runtime)
    for _ in range(10):
        app.clock.advance(minutes=10)
        assert runner.run(job_id)
    assert job(app, job_id).run_after == app.clock.now + timedelta(minutes=10)


def test_a_job_that_fails_too_often_fails_permanently(app, add_task, settings):
    settings(app, attempts=3)
    job_id = enqueue(app, add_task(app, fail))
    runner = Runner(app.runtime)
    for _ in range(3):
        app.clock.advance(hours=1)
        assert runner.run(job_id)
    given_up = job(app, job_id)
    assert (given_up.state, given_up.attempts, given_up.lease) == ("failed", 3, None)
    assert given_up.finished_at == app.clock.now
    app.clock.advance(days=1)
    assert not runner.run(job_id)
    assert job_id not in waiting(app)


def test_only_the_type_of_an_error_is_stored(app, add_task):
    job_id = enqueue(app, add_task(app, fail))
    Runner(app.runtime).run(job_id)
    assert job(app, job_id).last_error == "ValueError"


def test_a_database_error_is_stored_with_its_cause(app, add_task):
    def break_a_rule(work):
        leave_effect(work)
        work.db.expunge_all()
        leave_effect(work)

    job_id = enqueue(app, add_task(app, break_a_rule))
    Runner(app.runtime).run(job_id)
    assert job(app, job_id).last_error == "IntegrityError (UniqueViolation)"


def test_a_job_that_failed_can_succeed(app, add_task):
    outcomes = [ZeroDivisionError, None]

    def try_again(work):
        outcome = outcomes.pop(0)
        if outcome:
            raise outcome
        leave_effect(work)

    job_id = enqueue(app, add_task(app, try_again))
    runner = Runner(app.runtime)
    runner.run(job_id)
    app.clock.advance(minutes=1)
    runner.run(job_id)
    assert (job(app, job_id).state, job(app, job_id).attempts) == ("done", 2)
    assert has_effect(app)


# Batches


def collector(calls):
    def collect(work, jobs):
        calls.append([each["n"] for each in jobs])

    return collect


def test_a_batch_runs_all_jobs_of_its_key_in_one_call(app, add_task):
    calls = []
    name = add_task(app, collector(calls), batch=True)
    ids = [enqueue(app, name, key="exam 1", n=n) for n in range(3)]
    other_key = enqueue(app, name, key="exam 2", n=10)
    runner = Runner(app.runtime)
    assert runner.run(ids[1])
    assert sorted(calls[0]) == [0, 1, 2]
    assert {job(app, each).state for each in ids} == {"done"}
    assert not runner.run(ids[0])
    assert job(app, other_key).state == "pending"


def test_gathering_jobs_wait_for_others_and_send_no_wake_up(app, add_task, settings, messages):
    settings(app, gather=0.5)
    calls = []
    name = add_task(app, collector(calls), batch=True, gathers=True)
    enqueue(app, name, key="exam 1", n=0)
    assert app.run_jobs() == 0
    app.clock.advance(seconds=0.4)
    enqueue(app, name, key="exam 1", n=1)
    enqueue(app, name, key="exam 2", n=2)
    app.clock.advance(seconds=0.1)
    assert app.run_jobs() == 1
    app.clock.advance(seconds=0.4)
    assert app.run_jobs() == 1
    assert calls == [[0, 1], [2]]
    assert messages() == []


def test_a_batch_does_not_include_jobs_that_are_due_later(app, add_task, settings):
    settings(app, gather=0.5)
    calls = []
    name = add_task(app, collector(calls), batch=True, gathers=True)
    enqueue(app, name, n=0)
    with begin(app.runtime) as work:
        jobs.enqueue(work, name, run_after=work.now + timedelta(hours=1), n=1)
    app.clock.advance(seconds=1)
    assert app.run_jobs() == 1
    assert calls == [[0]]


def test_an_ordinary_task_runs_once_per_job(app, add_task):
    calls = []
    name = add_task(app, lambda work, n: calls.append(n))
    for n in range(3):
        enqueue(app, name, key="the same", n=n)
    assert app.run_jobs() == 3
    assert calls == [0, 1, 2]


def test_jobs_of_a_failed_batch_are_retried_one_by_one(app, add_task):
    calls = []

    def collect(work, jobs):
        calls.append([each["n"] for each in jobs])
        if 1 in calls[-1]:
            raise ZeroDivisionError

    name = add_task(app, collect, batch=True)
    ids = [enqueue(app, name, n=n) for n in range(3)]
    runner = Runner(app.runtime)
    runner.run(ids[0])
    assert {job(app, each).state for each in ids} == {"pending"}
    app.clock.advance(seconds=2)
    overdue = waiting(app)
    assert overdue == ids
    for each in overdue:
        runner.run(each)
    assert [sorted(call) for call in calls] == [[0, 1, 2], [0], [1], [2]]
    assert [job(app, each).state for each in ids] == ["done", "pending", "done"]


def test_jobs_of_a_batch_do_not_fail_permanently_together(app, add_task, settings):
    settings(app, attempts=1)

    def collect(work, jobs):
        raise ZeroDivisionError

    name = add_task(app, collect, batch=True)
    ids = [enqueue(app, name, n=n) for n in range(2)]
    Runner(app.runtime).run(ids[0])
    assert {job(app, each).state for each in ids} == {"pending"}


def test_a_running_batch_includes_no_new_jobs(live, add_task):
    calls, started, go_on = [], threading.Event(), threading.Event()

    def collect(work, jobs):
        calls.append([each["n"] for each in jobs])
        started.set()
        assert go_on.wait(PATIENCE)

    name = add_task(live, collect, batch=True)
    first = enqueue(live, name, n=1)
    thread = run_in_thread(lambda: Runner(live.runtime).run(first))
    assert started.wait(PATIENCE)
    second = enqueue(live, name, n=2)
    go_on.set()
    thread.join()
    assert calls == [[1]]
    assert [job(live, each).state for each in (first, second)] == ["done", "pending"]
    Runner(live.runtime).run(second)
    assert calls == [[1], [2]]


# Leases


def test_a_leased_job_is_not_claimed(app, add_task):
    name = add_task(app, lambda work: None)
    job_id = enqueue(app, name)
    assert Runner(app.runtime).claim(Job.id == job_id) is not None
    app.clock.advance(seconds=15)
    assert not Runner(app.runtime).run(job_id)
    assert job_id not in waiting(app)


def test_the_job_of_a_dead_worker_is_run_by_another(app, add_task):
    name = add_task(app, leave_effect)
    job_id = enqueue(app, name)
    take_and_die(app, job_id)
    assert waiting(app) == [job_id]
    assert Runner(app.runtime).run(job_id)
    assert (job(app, job_id).state, job(app, job_id).attempts) == ("done", 2)
    assert has_effect(app)


def test_a_batch_of_a_dead_worker_is_run_by_another_as_a_whole(app, add_task):
    calls = []
    name = add_task(app, collector(calls), batch=True)
    ids = [enqueue(app, name, n=n) for n in range(3)]
    take_and_die(app, ids[0])
    assert app.run_jobs() == 1
    assert sorted(calls[0]) == [0, 1, 2]


def let_workers_die(service, job_id, times):
    for _ in range(times):
        assert not take_and_die(service, job_id)


def test_a_job_that_kills_its_workers_fails_permanently(app, add_task):
    job_id = enqueue(app, add_task(app, lambda work: None))
    let_workers_die(app, job_id, 9)
    assert Runner(app.runtime).run(job_id)
    given_up = job(app, job_id)
    assert (given_up.state, given_up.last_error) == ("failed", "WorkerDied")
    assert (given_up.lease, given_up.finished_at) == (None, app.clock.now)
    assert job_id not in waiting(app)


@pytest.fixture
def goodbye(app, add_task, settings):
    """The id of a job with two attempts whose task fails, and a list of the arguments of the calls
    of `given_up`.
    """
    settings(app, attempts=2)
    heard = []
    name = add_task(app, fail, given_up=lambda work, **args: heard.append(args))
    return enqueue(app, name, number=7), heard


def test_a_task_is_called_once_when_its_job_fails_permanently(app, goodbye):
    job_id, heard = goodbye
    runner = Runner(app.runtime)
    assert runner.run(job_id)
    assert heard == []
    app.clock.advance(hours=1)
    assert runner.run(job_id)
    assert heard == [{"number": 7}]


@pytest.mark.parametrize("deaths", [2, 3])
def test_a_task_is_called_after_its_workers_died(app, goodbye, deaths):
    """If `deaths` is 2, the task first fails on its own, and then one worker dies. If it is 3,
    three workers die.
    """
    job_id, heard = goodbye
    if deaths == 2:
        Runner(app.runtime).run(job_id)
        app.clock.advance(hours=1)
    let_workers_die(app, job_id, 1 if deaths == 2 else 3)
    assert heard == []
    assert Runner(app.runtime).run(job_id)
    assert (heard, job(app, job_id).state) == ([{"number": 7}], "failed")


def lose(work):
    leave_effect(work)
    raise ZeroDivisionError


def lose_at_the_commit(work):
    def fail(session):
        raise ZeroDivisionError

    leave_effect(work)
    event.listen(work.db, "before_commit", fail)


@pytest.mark.parametrize("given_up", [lose, lose_at_the_commit])
def test_a_failing_given_up_handler_does_not_keep_the_job_open(live, add_task, settings, given_up):
    settings(live, attempts=1)
    job_id = enqueue(live, add_task(live, fail, given_up=given_up))
    assert Runner(live.runtime).run(job_id)
    assert not has_effect(live)
    over = job(live, job_id)
    assert (over.state, over.lease, over.finished_at) == ("failed", None, live.clock.now)
    assert over.last_error == "ValueError; given up: ZeroDivisionError"


def test_a_failing_given_up_handler_after_dead_workers_does_not_keep_the_job_open(live, add_task):
    job_id = enqueue(live, add_task(live, lambda work: None, given_up=lose))
    take_and_die_until_it_is_given_up(live, job_id)
    over = job(live, job_id)
    assert (over.state, over.last_error) == ("failed", "WorkerDied; given up: ZeroDivisionError")


def test_a_given_up_handler_that_kills_its_worker_is_not_called_again(app, add_task):
    heard = []
    name = add_task(app, lambda work: None, given_up=lambda work: heard.append(1))
    job_id = enqueue(app, name)
    while not take_and_die(app, job_id):
        pass
    assert take_and_die(app, job_id)
    assert Runner(app.runtime).run(job_id)
    assert (heard, job(app, job_id).state) == ([], "failed")


def test_a_job_that_kills_its_workers_does_not_fail_the_rest_of_its_batch(app, add_task):
    """One job of the batch kills its workers. After that, each job of the batch is retried
    alone.
    """
    calls = []
    name = add_task(app, collector(calls), batch=True)
    ids = [enqueue(app, name, n=n) for n in range(3)]
    let_workers_die(app, ids[0], 8)
    newer = enqueue(app, name, n=3)
    runner = Runner(app.runtime)
    for each in [newer, *ids]:
        assert runner.run(each)
    assert calls == [[3], [0], [1], [2]]


def test_a_worker_that_lost_its_lease_commits_nothing(live, add_task):
    """The worker was only slow, but another worker has taken over its job. The effect of the slow
    worker is rolled back, and the job stays with the other worker.
    """
    started, go_on, runs = threading.Event(), threading.Event(), []

    def work_slowly(work):
        runs.append(1)
        if len(runs) == 1:
            leave_effect(work)
            started.set()
            assert go_on.wait(PATIENCE)

    job_id = enqueue(live, add_task(live, work_slowly))
    thread = run_in_thread(lambda: Runner(live.runtime).run(job_id))
    assert started.wait(PATIENCE)
    live.clock.advance(seconds=16)
    assert Runner(live.runtime).run(job_id)
    go_on.set()
    thread.join()
    assert len(runs) == 2
    assert not has_effect(live)
    assert (job(live, job_id).state, job(live, job_id).last_error) == ("done", None)


def test_a_worker_that_lost_its_lease_does_not_fail_the_job(live, add_task):
    started, go_on, runs = threading.Event(), threading.Event(), []

    def work_slowly(work):
        runs.append(1)
        if len(runs) == 1:
            started.set()
            assert go_on.wait(PATIENCE)
            raise ZeroDivisionError

    job_id = enqueue(live, add_task(live, work_slowly))
    thread = run_in_thread(lambda: Runner(live.runtime).run(job_id))
    assert started.wait(PATIENCE)
    live.clock.advance(seconds=16)
    Runner(live.runtime).run(job_id)
    go_on.set()
    thread.join()
    assert (job(live, job_id).state, job(live, job_id).last_error) == ("done", None)


def test_a_worker_that_lost_its_lease_does_not_call_the_given_up_handler(live, add_task, settings):
    settings(live, attempts=1)
    runs, heard = [], []

    def lose_it_and_fail(work):
        runs.append(1)
        if len(runs) == 1:
            live.clock.advance(seconds=16)
            assert Runner(live.runtime).run(job_id)
            raise ZeroDivisionError

    name = add_task(live, lose_it_and_fail, given_up=lambda work, **args: heard.append(args))
    job_id = enqueue(live, name)
    Runner(live.runtime).run(job_id)
    assert (heard, job(live, job_id).state) == ([], "done")


@pytest.mark.parametrize("fails", [False, True])
def test_no_job_is_lost_if_a_batch_loses_the_lease_of_one_of_its_jobs(
    live, add_task, settings, fails
):
    """Another worker runs one job of the batch meanwhile. The effect of the batch is rolled back,
    and its other jobs are run again. If they fail permanently, each calls the handler.
    """
    settings(live, attempts=1)
    runs, heard = [], []

    def leave_effects(work, all_args):
        runs.append(sorted(args["n"] for args in all_args))
        if len(runs) == 1:
            with begin(live.runtime) as other:
                other.db.get_one(Job, ids[1]).lease_until = other.now - timedelta(seconds=1)
            assert Runner(live.runtime).run(ids[1])
        if fails:
            raise ZeroDivisionError
        for args in all_args:
            named = f"{FLAG} {args['n']} of run {len(runs)}"
            work.db.add(Flag(name=named, enabled=True, updated_at=work.now))

    name = add_task(live, leave_effects, batch=True, given_up=lambda work, n: heard.append(n))
    ids = [enqueue(live, name, n=n) for n in range(3)]
    assert Runner(live.runtime).run(ids[0])
    assert runs[0] == [0, 1, 2]
    live.clock.advance(hours=1)
    while waiting(live):
        Runner(live.runtime).run(waiting(live)[0])
    with begin(live.runtime) as work:
        effects = work.db.scalars(select(Flag.name).where(Flag.name.startswith(FLAG)))
        assert len(effects.all()) == (0 if fails else 3)
    assert sorted(heard) == ([0, 1, 2] if fails else [])
    assert {job(live, each).state for each in ids} == {"failed" if fails else "done"}


@pytest.fixture
def two_long_jobs(live, add_task):
    """A runner that is working on two jobs, and a function that lets it finish them."""
    go_on, started = threading.Event(), []

    def work_slowly(work):
        started.append(1)
        assert go_on.wait(PATIENCE)

    name = add_task(live, work_slowly)
    ids = [enqueue(live, name) for _ in range(2)]
    runner = Runner(live.runtime)
    threads = [run_in_thread(lambda job_id=job_id: runner.run(job_id)) for job_id in ids]
    wait_until(lambda: len(started) == 2)

    def finish():
        go_on.set()
        for thread in threads:
            thread.join()
        return [(job(live, each).state, job(live, each).attempts) for each in ids]

    yield ids, runner, finish
    finish()


def test_long_jobs_keep_their_leases(live, two_long_jobs):
    ids, runner, finish = two_long_jobs
    live.clock.advance(seconds=14)
    runner.heartbeat.beat()
    live.clock.advance(seconds=14)
    assert waiting(live) == []
    assert finish() == [("done", 1), ("done", 1)]
    # A heartbeat renews no lease of a finished job.
    runner.heartbeat.beat()
    assert [job(live, each).lease_until for each in ids] == [None, None]


def test_a_job_that_is_being_finished_does_not_block_other_leases(live, two_long_jobs):
    ids, runner, _ = two_long_jobs
    live.clock.advance(seconds=14)
    with begin(live.runtime) as work:
        work.db.get_one(Job, ids[0], with_for_update=True)
        runner.heartbeat.beat()
    live.clock.advance(seconds=14)
    assert waiting(live) == [ids[0]]


def test_the_heartbeat_continues_after_an_outage_of_the_database(
    live, two_long_jobs, caplog, settings
):
    settings(live, lease=0.3)
    ids, _, _ = two_long_jobs
    heartbeat, stopping, clock = Heartbeat(live.runtime), threading.Event(), live.runtime.clock
    away = threading.Event()

    def failing_clock():
        if threading.current_thread().name == "heartbeat" and not away.is_set():
            away.set()
            raise OSError("the database is away")
        return clock()

    live.runtime.clock = failing_clock
    row = job(live, ids[0])
    claim = Claim(None, row.lease, [row.id], [{}], 1, "-", [])
    live.clock.advance(minutes=10)
    thread = threading.Thread(
        target=heartbeat.run_forever, args=[stopping], name="heartbeat", daemon=True
    )
    with heartbeat.keeping(claim):
        thread.start()
        assert away.wait(PATIENCE)
        wait_until(lambda: job(live, ids[0]).lease_until > live.clock.now)
    stopping.set()
    thread.join()
    assert "leases are not renewed: OSError" in caplog.text


# Many at once


def test_many_workers_never_run_one_job_twice(live, add_task):
    calls = []
    name = add_task(live, lambda work, n: calls.append(n))
    ids = [enqueue(live, name, n=n) for n in range(10)]

    def run_all(index):
        runner = Runner(live.runtime)
        return sum(runner.run(each) for each in ids)

    assert sum(together(4, run_all)) == 10
    assert sorted(calls) == list(range(10))


def test_many_workers_never_run_a_member_of_a_batch_twice(live, add_task):
    calls = []
    name = add_task(live, collector(calls), batch=True)
    ids = [enqueue(live, name, n=n) for n in range(20)]
    together(4, lambda index: [Runner(live.runtime).run(each) for each in ids])
    assert sorted(n for call in calls for n in call) == list(range(20))
    assert {each.state for each in stored(live, name)} == {"done"}


# The sweep


@pytest.fixture
def hourly(add_task):
    """Add a periodic task with a period of an hour."""
    added = []

    def add(service):
        name = add_task(service, lambda work: None, every=timedelta(hours=1))
        added.append((service.runtime.catalogue[Task], name))
        return name

    yield add
    for tasks, name in added:
        del tasks[name]


def test_simultaneous_polls_create_one_job_per_period(live, hourly):
    name = hourly(live)
    together(6, lambda index: Ticks(live.runtime).make())
    assert len(stored(live, name)) == 1
    live.clock.advance(minutes=59)
    Ticks(live.runtime).make()
    assert len(stored(live, name)) == 1
    live.clock.advance(minutes=1)
    together(6, lambda index: Ticks(live.runtime).make())
    assert len(stored(live, name)) == 2


def test_a_periodic_job_runs(app, hourly):
    name = hourly(app)
    Ticks(app.runtime).make()
    app.run_jobs()
    assert [each.state for each in stored(app, name)] == ["done"]


def test_only_the_last_finished_job_of_a_periodic_task_is_kept(app, hourly):
    name = hourly(app)
    enqueue(app, name)
    ticks = Ticks(app.runtime)

    def states():
        return [(each.state, each.tick and each.tick.hour) for each in stored(app, name)]

    for hour in (9, 10):
        ticks.make()
        app.run_jobs()
        # `enqueue` created the first job, so it has no tick.
        assert states() == [("done", None), ("done", hour)]
        app.clock.advance(hours=1)
    # A pending job stays in the table, however old its tick is.
    for _ in range(2):
        ticks.make()
        app.clock.advance(hours=1)
    assert states() == [("done", None), ("pending", 11), ("pending", 12)]


def test_a_period_is_identified_by_its_start():
    at = datetime(2026, 3, 1, 9, 59, 59, tzinfo=UTC)
    assert tick_of(timedelta(hours=1), at) == datetime(2026, 3, 1, 9, tzinfo=UTC)


def test_the_job_that_has_waited_longest_is_next(app, add_task):
    """Jobs run in the order in which they became due, not in which they were enqueued."""
    calls = []
    name = add_task(app, lambda work, n: calls.append(n))
    later, sooner = [enqueue(app, name, n=n) for n in (1, 2)]
    with begin(app.runtime) as work:
        work.db.get_one(Job, later).run_after = work.now - timedelta(seconds=1)
        work.db.get_one(Job, sooner).run_after = work.now - timedelta(seconds=2)
    runner = Runner(app.runtime)
    assert [runner.run_next() for _ in range(3)] == [True, True, False]
    assert calls == [2, 1]


def test_each_lane_runs_its_own_jobs(app):
    """An unknown lane has no threads, so the main lane runs its jobs."""
    calls = []
    for number, lane in enumerate(("main", "slow", "unknown")):
        name, tasks = f"test.{lane}", app.runtime.catalogue[Task]
        tasks[name] = Task(name, lambda work, n: calls.append(n), lane=lane)
        enqueue(app, name, n=number)
    runner = Runner(app.runtime)
    assert [runner.run_next("slow") for _ in range(2)] == [True, False]
    assert [runner.run_next("main") for _ in range(3)] == [True, True, False]
    assert calls == [1, 0, 2]


def test_a_declared_task_is_found_by_the_scan(app):
    declared = app.runtime.catalogue[Task]["core.send_mails"]
    assert declared.steps
    assert not declared.batch


def test_jobs_that_fail_in_an_outage_of_postgresql_log_one_line(app, add_task, caplog):
    SELDOM.forget()

    def lose(work):
        raise OperationalError("select 1", {}, psycopg.OperationalError("the server is gone"))

    name = add_task(app, lose)
    ids = [enqueue(app, name) for _ in range(3)]
    for job_id in ids:
        Runner(app.runtime).run(job_id)
    [line] = [each for each in caplog.records if each.levelname == "ERROR"]
    assert (line.getMessage(), line.exc_info) == (
        "the database can't be reached: the server is gone",
        None,
    )
    assert {job(app, each).last_error for each in ids} == {"OperationalError (OperationalError)"}


def test_a_serialization_failure_does_not_count_as_a_failed_run(live, add_task):
    """PostgreSQL may roll back a transaction because of a concurrent one. The same run then repeats
    it.
    """
    runs = []

    def task(work):
        runs.append(None)
        if len(runs) == 1:
            work.db.execute(text("do $$ begin raise sqlstate '40001'; end $$"))
        leave_effect(work)

    job_id = enqueue(live, add_task(live, task))
    live.run_jobs()
    done = job(live, job_id)
    assert (len(runs), done.state, done.attempts, done.last_error) == (2, "done", 1, None)
    assert has_effect(live)
