"""A Redis that does not respond delays no request for long."""

import threading
from types import SimpleNamespace

import pytest
import redis

from competition.core import redis as broker
from competition.core.jobs import jobs
from competition.core.jobs.doorbell import Doorbell
from competition.core.limits.counters import RateLimiter, Window, parse_rate
from competition.core.monitoring.logs import SELDOM
from competition.core.monitoring.metrics import Metrics
from competition.core.redis import Broker
from competition.core.work import begin
from competition.testing.waiting import PATIENCE, wait_until
from competition.ws.seats import Seats
from tests.support.own_valkey import own_valkey

WINDOWS = [Window("tests", parse_rate("1000/minute"))]


@pytest.fixture
def valkey(tmp_path):
    with own_valkey(tmp_path / "var") as valkey:
        yield valkey


@pytest.fixture
def patient(valkey):
    """A broker with a timeout that is longer than a test may take."""
    SELDOM.forget()
    made = Broker(valkey.url, PATIENCE)
    yield made
    made.close()


@pytest.fixture
def hasty(valkey):
    """A broker with a timeout of 0.2 seconds."""
    SELDOM.forget()
    made = Broker(valkey.url, 0.2)
    yield made
    made.close()


@pytest.fixture
def clock(monkeypatch):
    """The clock that measures the pauses. It only moves when the test changes it."""
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(broker, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


def limiter_of(broker):
    return RateLimiter(broker.client, broker.pause, Metrics())


def test_a_frozen_redis_delays_one_call_in_a_second(valkey, hasty, clock):
    limiter = limiter_of(hasty)
    assert limiter.hit(WINDOWS).remaining == 999
    valkey.freeze()
    assert limiter.hit(WINDOWS) is None
    valkey.thaw()
    wait_until(hasty.client.ping)
    before = hasty.client.info("commandstats")["cmdstat_evalsha"]["calls"]
    clock.now += broker.PAUSE / 2
    for _ in range(100):
        assert limiter.hit(WINDOWS) is None
    assert hasty.client.info("commandstats")["cmdstat_evalsha"]["calls"] == before
    clock.now += broker.PAUSE / 2
    assert limiter.hit(WINDOWS).allowed


def test_all_users_of_redis_share_one_pause(valkey, patient, clock):
    """During a pause, no call tries Redis: it would wait for longer than the test may take."""
    limiter, seats = limiter_of(patient), Seats(patient.client, patient.pause, 1, 10)
    doorbell = Doorbell(patient, b"k" * 32)
    valkey.freeze()
    patient.pause.begin(redis.TimeoutError())
    assert limiter.hit(WINDOWS) is None
    limiter.give_back(WINDOWS)
    assert seats.take("user", "socket", 0)
    seats.renew([("user", "socket")], 0)
    seats.leave("user", "socket")
    doorbell.ring("main")
    doorbell.close()


@pytest.mark.parametrize("fault", ["freeze", "stop"])
def test_any_failing_user_of_redis_begins_the_pause(valkey, hasty, clock, fault):
    doorbell = Doorbell(hasty, b"k" * 32)
    seats = Seats(hasty.client, hasty.pause, 1, 10)
    limiter = limiter_of(hasty)
    getattr(valkey, fault)()

    def ring():
        doorbell.ring("main")
        doorbell.close()

    for call in (ring, lambda: seats.take("user", "socket", 0), lambda: limiter.hit(WINDOWS)):
        hasty.pause.end()
        call()
        assert not hasty.pause.is_over()


def test_a_timeout_is_not_retried(valkey, hasty):
    assert hasty.client.incr("x") == 1
    valkey.freeze()
    with pytest.raises(redis.TimeoutError):
        hasty.client.incr("x")
    valkey.thaw()
    # Each command that was sent before the timeout was executed once.
    wait_until(lambda: hasty.client.get("x") == b"2")
    assert hasty.client.incr("x") == 3


def test_a_restarted_redis_is_used_immediately(valkey, patient, caplog):
    """A restart closes the connections and deletes the scripts."""
    limiter = limiter_of(patient)
    for _ in range(2):
        assert limiter.hit(WINDOWS).remaining == 999
        valkey.stop()
        valkey.start()
    assert patient.client.ping()
    assert limiter.hit(WINDOWS).remaining == 999
    assert caplog.text == ""


def test_a_late_reply_is_not_taken_for_the_next_one(valkey, hasty):
    hasty.client.set("x", "late")
    valkey.freeze()
    with pytest.raises(redis.TimeoutError):
        hasty.client.get("x")
    valkey.thaw()
    wait_until(hasty.client.ping)
    assert hasty.client.get("nothing") is None


def test_enqueueing_does_not_wait_for_the_wake_up(valkey, patient, app, add_task):
    doorbell = Doorbell(patient, b"k" * 32)
    app.runtime.provide(Doorbell, doorbell)
    name = add_task(app, lambda work: None)
    valkey.freeze()
    for _ in range(100):
        with begin(app.runtime) as work:
            jobs.enqueue(work, name)
    assert any(each.name.startswith("doorbell") for each in threading.enumerate())
    valkey.thaw()
    doorbell.close()
    # Nearly all of the hundred wake-ups are merged.
    assert 1 <= doorbell.huey.pending_count() <= 2


def test_an_unavailable_redis_is_logged_once(valkey, hasty, caplog):
    valkey.stop()
    for _ in range(3):
        hasty.pause.end()
        doorbell = Doorbell(hasty, b"k" * 32)
        doorbell.ring("main")
        doorbell.close()
    assert caplog.text.count("Redis does not answer") == 1
    assert caplog.text.count("workers are not woken") == 1
