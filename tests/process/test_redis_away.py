"""Kill or freeze Redis: the service keeps working without it."""

import pytest
from sqlalchemy import select

from competition.core.database import DatabaseSettings
from competition.core.jobs.models import Job
from competition.core.work import begin
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.own_valkey import own_valkey
from tests.support.ports import free_port
from tests.support.processes import call, competition, is_healthy, log_in

# If each of a hundred requests waited for Redis, the test would time out. One of them waits this
# long, in seconds.
TIMEOUT = PATIENCE / 40
REQUESTS = 100


@pytest.fixture
def valkey(tmp_path):
    with own_valkey(tmp_path / "redis") as valkey:
        yield valkey


def test_a_frozen_redis_does_not_block_the_api(live, beside, valkey):
    port = str(free_port())
    url = f"http://127.0.0.1:{port}/v1"
    beside.start(
        competition("api"),
        COMPETITION_SERVER_PORT=port,
        COMPETITION_SERVER_THREADS="1",
        COMPETITION_REDIS_URL=valkey.url,
        COMPETITION_REDIS_TIMEOUT=str(TIMEOUT),
        COMPETITION_PLUGINS="accounts docs operations",
        COMPETITION_DATABASE_URL=live.runtime.settings[DatabaseSettings].url,
    )
    wait_until(lambda: is_healthy(url))
    assert call("GET", f"{url}/ready/")[1]["status"] == "ready"
    valkey.freeze()
    answered = []

    def all_are_answered():
        answered.append(log_in(url, live.key, "nobody@school.example", "wrong")[0])
        return len(answered) == REQUESTS

    wait_until(all_are_answered)
    assert set(answered) == {401}
    status, ready = call("GET", f"{url}/ready/")
    assert (status, ready["status"]) == (200, "degraded")
    valkey.thaw()
    wait_until(lambda: call("GET", f"{url}/ready/")[1]["status"] == "ready")


def mailings(live):
    with begin(live.runtime) as work:
        return list(work.db.scalars(select(Job.state).where(Job.name == "core.send_mails")))


@pytest.mark.parametrize("fault", ["freeze", "stop"])
def test_a_worker_without_redis_sends_emails_and_logs_once_a_minute(
    live, start_worker, valkey, fault
):
    person = live.candidate(is_email_verified=False)
    getattr(valkey, fault)()
    worker = start_worker(COMPETITION_REDIS_URL=valkey.url, COMPETITION_REDIS_TIMEOUT="0.25")
    for number in range(1, 6):
        live.anonymous.post("/send-email-otp/", {"email": person.email}, status=200)
        wait_until(lambda number=number: mailings(live) == ["done"] * number)
    assert "Traceback" not in worker.output
    for complaint in ("Redis does not answer", "Error reading from queue"):
        assert worker.complains_at_most_once_a_minute(complaint)
