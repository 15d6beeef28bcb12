"""A process that keeps retrying logs the same warning only once a minute."""

import logging
from importlib import import_module

import pytest
import redis

from competition.core.monitoring import logs


@pytest.fixture
def log(caplog):
    logger = logs.patient("tests.waiting")
    logs.SELDOM.forget()
    caplog.set_level("INFO")
    yield logger
    logger.removeFilter(logs.SELDOM)


def fail(log, error):
    try:
        raise error
    except Exception:
        log.exception("it can't be done")


def test_a_warning_is_repeated_after_a_minute(caplog):
    now = [0.0]
    seldom = logs.Seldom(timer=lambda: now[0])
    log = logging.getLogger("tests.repeating")
    log.addFilter(seldom)
    for now[0] in (0.0, 1.0, 59.0, 60.0, 61.0):
        log.warning("%d is away", now[0])
    log.removeFilter(seldom)
    assert [each.getMessage() for each in caplog.records] == ["0 is away", "60 is away"]


def test_an_outage_is_logged_without_a_traceback(log, caplog):
    for _ in range(3):
        fail(log, redis.TimeoutError("redis://:secret@redis"))
    assert [each.getMessage() for each in caplog.records] == ["it can't be done: TimeoutError"]
    assert caplog.records[0].exc_info is None


def test_a_programming_error_is_logged_with_its_traceback(log, caplog):
    fail(log, OSError())
    for _ in range(3):
        fail(log, ZeroDivisionError())
    assert [each.exc_info is None for each in caplog.records] == [True, False]


def test_messages_below_warning_are_always_logged(log, caplog):
    for _ in range(3):
        log.info("listening")
    assert len(caplog.records) == 3


def test_users_of_the_same_logger_share_its_filter(log):
    assert logs.patient("tests.waiting") is log
    assert log.filters == [logs.SELDOM]
    assert isinstance(log, logging.Logger)


@pytest.mark.parametrize(
    "name",
    [
        "competition.core.redis",
        *(f"competition.core.jobs.{part}" for part in ("doorbell", "lanes", "leases")),
        "competition.core.jobs.ticks",
        *("competition.core.limits.counters", "competition.core.database_errors"),
        *(
            f"competition.ws.{part}"
            for part in ("feeds", "following", "listener", "seats", "watch")
        ),
    ],
)
def test_modules_that_retry_use_the_rate_limited_logger(name):
    module = import_module(name)
    log = module.log
    assert logs.SELDOM in log.filters
