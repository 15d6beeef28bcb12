"""A Redis that does not answer holds nobody up."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from competition.core.jobs import broker
from competition.core.jobs.broker import Broker, RedisAway, Script
from competition.core.jobs.doorbell import Doorbell
from competition.core.logs import SELDOM
from competition.core.work import begin
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.own_valkey import own_valkey

GET_LATE = "return redis.call('GET', KEYS[1]) or 'nothing'"


@pytest.fixture
def valkey(tmp_path):
    with own_valkey(tmp_path / "var") as valkey:
        yield valkey


@pytest.fixture
def patient(valkey):
    """A broker that waits for an answer for very long."""
    SELDOM.forget()
    made = Broker(valkey.url, PATIENCE)
    yield made
    made.close()


@pytest.fixture
def hasty(valkey, monkeypatch):
    SELDOM.forget()
    monkeypatch.setattr(broker, "LOOKED_FOR_EVERY", 0.05)
    made = Broker(valkey.url, 0.2)
    yield made
    made.close()


def answers(client):
    try:
        return client.ping()
    except redis.RedisError:
        return False


def test_nobody_waits_for_a_frozen_redis_after_the_first(valkey, hasty):
    """Whatever connection they have."""
    blocking = redis.Redis(connection_pool=hasty.pool(blocking=PATIENCE))
    assert hasty.client.ping()
    assert blocking.ping()
    valkey.freeze()
    with pytest.raises(redis.TimeoutError):
        hasty.client.ping()
    for _ in range(100):
        for client in (hasty.client, blocking):
            with pytest.raises(RedisAway):
                client.ping()


def test_those_who_wait_already_are_the_last(valkey, hasty):
    valkey.freeze()

    def ask(number):
        with pytest.raises(redis.RedisError) as raised:
            hasty.client.get("x")
        return raised.type

    with ThreadPoolExecutor(8) as executor:
        kinds = list(executor.map(ask, range(200)))
    assert kinds.count(redis.TimeoutError) <= 8
    assert kinds.count(RedisAway) == 200 - kinds.count(redis.TimeoutError)


@pytest.mark.parametrize("fault", ["freeze", "stop"])
def test_redis_is_asked_again_when_it_is_back(valkey, hasty, fault, caplog):
    caplog.set_level("INFO")
    assert hasty.client.ping()
    getattr(valkey, fault)()
    wait_until(lambda: not answers(hasty.client))
    getattr(valkey, {"freeze": "thaw", "stop": "start"}[fault])()
    wait_until(lambda: answers(hasty.client))
    assert caplog.text.count("Redis does not answer") == 1
    assert caplog.text.count("Redis answers again") == 1


def test_a_redis_that_was_started_anew_is_not_taken_for_away(valkey, patient, caplog):
    """Connections of before are of no use any more, and the script is forgotten."""
    script = Script(patient.client, GET_LATE)
    for _ in range(2):
        assert patient.client.ping()
        assert script(["x"], ()) == b"nothing"
        valkey.stop()
        valkey.start()
    assert patient.client.ping()
    assert script(["x"], ()) == b"nothing"
    assert caplog.text == ""


def test_an_answer_that_comes_late_is_nobody_elses(valkey, hasty):
    hasty.client.set("x", "late")
    valkey.freeze()
    with pytest.raises(redis.TimeoutError):
        hasty.client.get("x")
    valkey.thaw()
    wait_until(lambda: answers(hasty.client))
    assert hasty.client.get("nothing") is None


def test_nor_is_that_of_a_script(valkey, hasty):
    hasty.client.set("x", "late")
    script = Script(hasty.client, GET_LATE)
    assert script(["x"], ()) == b"late"
    valkey.freeze()
    with pytest.raises(redis.TimeoutError):
        script(["x"], ())
    valkey.thaw()
    wait_until(lambda: answers(hasty.client))
    assert script(["y"], ()) == b"nothing"


def test_threads_do_not_hear_what_another_asked(valkey, patient):
    script = Script(patient.client, "return KEYS[1]")
    keys = [f"key {number}" for number in range(2000)]
    with ThreadPoolExecutor(8) as executor:
        assert list(executor.map(lambda key: script([key], ()), keys)) == [
            key.encode() for key in keys
        ]


def test_whoever_enqueues_does_not_wait_for_the_bell(valkey, patient, app, add_task, monkeypatch):
    doorbell = Doorbell(patient, b"k" * 32)
    monkeypatch.setattr(app.runtime, "doorbell", doorbell)
    name = add_task(app, lambda work: None)
    valkey.freeze()
    for _ in range(100):
        with begin(app.runtime) as work:
            work.enqueue(name)
    assert doorbell._ringing.is_alive()
    valkey.thaw()
    doorbell.close()
    # Most of the hundred are one.
    assert 1 <= patient.client.llen(doorbell.huey.storage.queue_key) <= 2


def test_a_bell_that_can_not_ring_says_so_once(valkey, hasty, caplog):
    doorbell = Doorbell(hasty, b"k" * 32)
    valkey.stop()
    for _ in range(3):
        doorbell.ring("main")
        doorbell.close()
    assert caplog.text.count("workers are not told") == 1
