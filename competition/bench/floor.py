"""The yardsticks, on a server of their own with the settings of the service's.

A is what nobody on this stack gets below: a Pyramid view that opens a session, runs one SELECT by
key, commits, and answers in JSON. The bare view answers without a database. A third one is A that
checks a password besides: what is done after that finds no cache of the processor as it was. How
much processor time the checks took says /metrics/, as that of the service does.

    python -m competition.bench.floor PORT DATABASE_URL
"""

import os
import sys
from typing import Any

from granian.constants import Interfaces
from pyramid.config import Configurator
from pyramid.response import Response
from sqlalchemy import create_engine, text
from sqlalchemy.orm import Session

from competition.bench.world import PASSWORD
from competition.core.auth import passwords
from competition.core.metrics import MEDIA_TYPE, Metrics
from competition.gateway import Gateway, GatewayServer
from competition.parent import die_with

BY_KEY = text('select id, email, first_name, last_name from "user" where email = :email')
THREADS = 4


def gateway(url: str, parent: int) -> Gateway:
    die_with(parent)
    engine = create_engine(url)

    def one_row(request: Any) -> dict[str, Any]:
        with Session(engine) as session:
            row = session.execute(BY_KEY, {"email": request.GET["email"]}).one()
            session.commit()
        return {"id": str(row.id), "email": row.email, "name": f"{row.first_name} {row.last_name}"}

    metrics = Metrics()
    password_hash = passwords.hash_password(PASSWORD)

    def one_row_and_hash(request: Any) -> dict[str, Any]:
        with passwords.turn(metrics):
            return {**one_row(request), "matches": passwords.matches(password_hash, PASSWORD)}

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
    return Gateway(config.make_wsgi_app())


def main(port: int, url: str) -> None:
    server = GatewayServer(
        "floor",
        address="127.0.0.1",
        port=port,
        interface=Interfaces.WSGI,
        workers=1,
        blocking_threads=THREADS,
        websockets=False,
        log_enabled=False,
    )
    parent = os.getpid()
    server.run(lambda: gateway(url, parent))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
