import socket
from collections.abc import Callable
from contextlib import suppress

import httpx
import pytest

from competition import worker
from competition.core.jobs import jobs
from competition.core.monitoring.metrics import MetricsSettings
from competition.core.settings import SettingsError
from competition.core.work import begin
from competition.testing.service import Service
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.ports import free_port
from tests.support.processes import Process


def test_a_metrics_port_in_use_stops_the_start(app: Service) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        app.runtime.settings = app.runtime.settings.replace(MetricsSettings, worker_port=port)
        with pytest.raises(SettingsError, match=rf"competition\.metrics\.worker_port: {port}: "):
            worker.bind(app.runtime)


def test_a_worker_shows_its_metrics_to_callers_with_the_token(
    live: Service, start_worker: Callable[..., Process]
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}/v1/metrics/"
    start_worker(
        COMPETITION_METRICS_WORKER_PORT=str(port), COMPETITION_METRICS_TOKEN="for the scraper"
    )
    with begin(live.runtime) as work:
        jobs.enqueue(work, "core.housekeeping")
    token = {"Authorization": "Bearer for the scraper"}

    def counted() -> bool:
        with suppress(httpx.ConnectError):
            shown = httpx.get(url, headers=token, timeout=PATIENCE)
            assert shown.status_code == 200
            assert "Server" not in shown.headers
            return 'task="core.housekeeping"' in shown.text
        return False

    wait_until(counted)
    for headers, status, code in (
        ({}, 401, "not_authenticated"),
        ({"Authorization": "Bearer another"}, 401, "authentication_failed"),
    ):
        refused = httpx.get(url, headers=headers, timeout=PATIENCE)
        assert (refused.status_code, refused.json()["code"]) == (status, code)
    elsewhere = httpx.get(f"http://127.0.0.1:{port}/", headers=token, timeout=PATIENCE)
    assert (elsewhere.status_code, elsewhere.json()["code"]) == (404, "not_found")
