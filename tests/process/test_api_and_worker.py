import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.request import Request, urlopen

import psycopg
import pytest
from psycopg import Connection
from sqlalchemy import make_url

from competition.core.database import DatabaseSettings
from competition.embedded.child import command_line
from competition.testing.races import waits_for_a_lock
from competition.testing.service import PASSWORD, Service
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.ports import free_port
from tests.support.processes import (
    Launcher,
    Process,
    call,
    competition,
    descendants,
    is_gone,
    is_healthy,
    log_in,
)
from tests.support.repository import DEVELOPMENT_INI


@pytest.fixture
def database(beside: Launcher) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A connection to the database of `beside`."""
    url = make_url(beside.environment["COMPETITION_DATABASE_URL"]).set(drivername="postgresql")
    with psycopg.connect(url.render_as_string(hide_password=False), autocommit=True) as connection:
        yield connection


def test_a_stopping_worker_finishes_its_job(
    beside: Launcher, database: psycopg.Connection[tuple[object, ...]], tmp_path: Path
) -> None:
    """The job is one of a third-party plugin, which has its own table."""
    done = beside.run_all("competition db upgrade", f"competition hold '{tmp_path}'")
    assert [each.status for each in done] == [0, 0], done
    assert database.execute("select count(*) from outside_table").fetchone() == (0,)
    worker = beside.start(competition("worker"))
    wait_until((tmp_path / "begun").exists)

    worker.popen.send_signal(signal.SIGTERM)
    with pytest.raises(subprocess.TimeoutExpired):
        worker.popen.wait(0.5)
    (tmp_path / "let-go").touch()

    assert worker.popen.wait(PATIENCE) == 0, worker.output
    # Periodic jobs may have become due in the meantime.
    [(state,)] = database.execute("select state from job where name = 'outside.hold'")
    assert state == "done"
    assert database.execute("select from job where state = 'running'").fetchone() is None


def test_every_process_of_an_api_shows_the_metrics_of_all_and_ends_with_it(
    beside: Launcher,
) -> None:
    port = str(free_port())
    settings = {"SERVER_PORT": port, "SERVER_WORKERS": "2", "METRICS_TOKEN": "scraper"}
    api = beside.start(
        competition("api", str(DEVELOPMENT_INI)),
        **{f"COMPETITION_{name}": text for name, text in settings.items()},
    )
    url = f"http://127.0.0.1:{port}/v1"
    wait_until(lambda: is_healthy(url))

    def counted() -> int:
        request = Request(f"{url}/metrics/", headers={"Authorization": "Bearer scraper"})
        with urlopen(request) as reply:
            text = reply.read().decode()
        found = re.search(r'_count{[^}]*route="/health/"[^}]*} ([0-9]+)', text)
        return int(found[1]) if found else 0

    before = counted()
    for asked in range(1, 13):
        with urlopen(f"{url}/health/"):
            pass
        assert counted() == before + asked

    family = descendants(api.pid)
    assert family
    assert api.end(signal.SIGTERM) == 0
    assert all(map(is_gone, family))
    assert not is_healthy(url)


def test_waiting_logins_delay_no_other_request_and_are_answered_before_the_stop(
    live: Service, beside: Launcher, sessions: tuple[Connection, Connection]
) -> None:
    """Two logins hold the hashing permits and wait for the account's row. All other logins wait for
    a permit.
    """
    person, port = live.candidate(), str(free_port())
    api = beside.start(
        competition("api"),
        COMPETITION_SERVER_PORT=port,
        COMPETITION_PLUGINS="accounts docs",
        COMPETITION_DATABASE_URL=live.runtime.settings[DatabaseSettings].url,
    )
    url = f"http://127.0.0.1:{port}/v1"
    wait_until(lambda: is_healthy(url))
    blocker, watcher = sessions
    blocker.execute('select from "user" for update')
    with ThreadPoolExecutor(6) as pool:
        logins = [
            pool.submit(log_in, url, live.key, person.email or "", PASSWORD) for _ in range(6)
        ]
        try:
            wait_until(lambda: waits_for_a_lock(watcher, 'select "user".'))
            assert all(is_healthy(url) for _ in range(3))
            api.popen.send_signal(signal.SIGTERM)
        finally:
            blocker.rollback()
    assert {login.result()[0] for login in logins} == {200}
    assert api.popen.wait(PATIENCE) == 0


def test_an_api_that_is_still_starting_stops_as_well(beside: Launcher) -> None:
    api = beside.start(competition("api"), COMPETITION_SERVER_PORT=str(free_port()))
    wait_until(lambda: api.says("Spawning worker-1"))

    assert api.end(signal.SIGTERM) == 0


def processes_of(api: Process) -> list[int]:
    return [pid for pid in descendants(api.pid) if "competition.cli api" in command_line(pid)]


def test_a_killed_worker_of_an_api_is_replaced_and_all_end_with_a_killed_api(
    beside: Launcher,
) -> None:
    port = str(free_port())
    settings = {"COMPETITION_SERVER_PORT": port, "COMPETITION_SERVER_WORKERS": "2"}
    api = beside.start(competition("api"), **settings)
    # Wait until both workers have loaded the application and listen, each on its own socket. If the
    # only listening worker were killed, connections would be refused.
    wait_until(lambda: api.output.count("Started worker-") == 2)
    healthy, mortal = processes_of(api)
    os.kill(mortal, signal.SIGKILL)
    wait_until(lambda: {*processes_of(api)} - {healthy, mortal})
    assert healthy in processes_of(api)
    statuses = [call("GET", f"http://127.0.0.1:{port}/v1/health/")[0] for _ in range(10)]
    assert statuses == [200] * 10

    refused = beside.run(competition("api"), COMPETITION_SERVER_PORT=port)
    assert refused.returncode == 1
    assert f"Port {port} of 127.0.0.1 is in use" in refused.stderr

    workers = processes_of(api)
    api.end(signal.SIGKILL)
    wait_until(lambda: all(map(is_gone, workers)))


def test_an_api_whose_workers_keep_dying_ends(beside: Launcher) -> None:
    api = beside.start(competition("api"), COMPETITION_SERVER_PORT=str(free_port()))

    def kill_all() -> bool:
        for pid in processes_of(api):
            os.kill(pid, signal.SIGKILL)
        return api.popen.poll() is not None

    wait_until(kill_all)
    assert api.popen.returncode == 1


def test_huey_is_built_from_the_environment_when_it_is_first_used(beside: Launcher) -> None:
    code = (
        "import competition.worker; print('huey' in vars(competition.worker))\n"
        "from competition.worker import huey; print(huey.name, huey.results)"
    )
    printed = beside.succeed([sys.executable, "-c", code])
    assert printed.split("\n") == ["False", "competition False", ""]

    environment = {**beside.environment}
    del environment["COMPETITION_INI"]
    refused = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, cwd=os.sep
    )
    assert refused.returncode == 1
    assert "COMPETITION_INI" in refused.stderr
