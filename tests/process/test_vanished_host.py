"""The host of the database vanishes. It sends no packets any longer, not even to close its
connections.
"""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from competition.core.database import Database, DatabaseSettings
from competition.testing.waiting import wait_until
from tests.support.far_database import THERE, far_host, over_tcp, why_no_far_host

FROM = "from pg_stat_activity where query = 'select pg_sleep(600)'"
SLEEPING = text(f"select 1 {FROM}")
END = text(f"select pg_terminate_backend(pid) {FROM}")


@pytest.mark.skipif(why_no_far_host() is not None, reason=f"no far host: {why_no_far_host()}")
def test_a_vanished_host_of_the_database_is_an_outage(live, monkeypatch):
    """A request whose statement can't be sent to the host gets 503. A statement that waits for the
    host's reply fails. Without the options of the connections, both would wait for a quarter of an
    hour.
    """
    person, near = live.candidate(), live.runtime.database
    person.get("/candidates/me/", status=200)
    with (
        far_host() as host,
        over_tcp(near.changing.engine.url, THERE, host.within) as url,
        host.in_reach(),
    ):
        far = Database.connect(live.runtime.settings[DatabaseSettings], url.render_as_string(False))
        monkeypatch.setattr(live.runtime, "database", far)
        person.get("/candidates/me/", status=200)
        with ThreadPoolExecutor(2) as pool, far.changing.connect() as waiting:
            waiting.execute(text("set statement_timeout = 0"))
            statement = pool.submit(waiting.execute, text("select pg_sleep(600)"))
            with near.reading.connect() as other:
                wait_until(lambda: other.scalar(SLEEPING))
            host.vanish()
            request = pool.submit(person.get, "/candidates/me/", status=503)
            try:
                wait_until(lambda: request.done() and statement.done())
            finally:
                # If the test fails, end both threads, because a thread that waits for the host
                # would not end.
                host.vanish(False)
                with near.reading.connect() as other:
                    other.execute(END)
            assert request.result().json["code"] == "service_unavailable"
            assert isinstance(statement.exception(), OperationalError)
        wait_until(lambda: person.get("/candidates/me/", status="any").status_int == 200)
        far.dispose()
