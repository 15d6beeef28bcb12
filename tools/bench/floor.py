"""The baselines, on a separate server with the same settings as the service's server.

Baseline A is the least that a request with a database can cost on this stack: a Pyramid view that
opens a session, runs one SELECT by key, commits, and returns JSON. The bare view uses no database.
A third view does the same as A and also checks a password, which leaves the processor's caches
cold. As in the service, /metrics/ has the CPU time of the password checks.

    python -m tools.bench.floor PORT DATABASE_URL
"""

import multiprocessing
import os
import sys
from typing import Any

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from pyramid.config import Configurator
from pyramid.response import Response
from sqlalchemy import create_engine, text
from sqlalchemy.orm import Session

from competition.core.auth import hashing
from competition.core.monitoring.metrics import MEDIA_TYPE, Metrics
from competition.core.runtime import ServerSettings
from competition.parent import die_with
from tools.bench.world import PASSWORD

BY_KEY = text('select id, email, first_name, last_name from "user" where email = :email')
# The environment variable in which a worker process finds the database.
DATABASE_URL = "BENCH_DATABASE_URL"


def application() -> Any:
    """The WSGI application. Granian calls this in the worker process."""
    if parent := multiprocessing.parent_process():
        die_with(parent.pid or 0)
    engine = create_engine(os.environ[DATABASE_URL])

    def one_row(request: Any) -> dict[str, Any]:
        with Session(engine) as session:
            row = session.execute(BY_KEY, {"email": request.GET["email"]}).one()
            session.commit()
        return {"id": str(row.id), "email": row.email, "name": f"{row.first_name} {row.last_name}"}

    metrics = Metrics()
    password_hash = hashing.hash_password(PASSWORD)

    def one_row_and_hash(request: Any) -> dict[str, Any]:
        with hashing.permit(metrics):
            return {**one_row(request), "matches": hashing.matches(password_hash, PASSWORD)}

    def show_metrics(request: Any) -> Response:
        return Response(metrics.exposition(), content_type=MEDIA_TYPE, charset="utf-8")

    config = Configurator()
    config.add_route("bare", "/bare/")
    config.add_route("one_row", "/one-row/")
    config.add_route("one_row_and_hash", "/one-row-and-hash/")
    config.add_route("metrics", "/metrics/")
    config.add_view(lambda request: {"status": "ok"}, route_name="bare", renderer="json")
    config.add_view(one_row, route_name="one_row", renderer="json")
    config.add_view(one_row_and_hash, route_name="one_row_and_hash", renderer="json")
    config.add_view(show_metrics, route_name="metrics")
    return config.make_wsgi_app()


def main(port: int, url: str) -> None:
    os.environ[DATABASE_URL] = url
    Granian(
        "tools.bench.floor:application",
        factory=True,
        address="127.0.0.1",
        port=port,
        interface=Interfaces.WSGI,
        http=HTTPModes.http1,
        websockets=False,
        workers=1,
        blocking_threads=ServerSettings.threads,
        log_enabled=False,
    ).serve()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
