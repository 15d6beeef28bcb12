"""Traces from the request to the push, across all processes, sent to an OTLP collector."""

import signal
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from competition.core.flags import Flag
from competition.core.monitoring.traces import TraceSettings
from competition.core.runtime import make_traces
from competition.core.settings import SettingsError
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.sockets import subjects

CLICK, TRACE = "b2" * 8, "a1" * 16
SECRET = "nobody-else-may-know-it"


@dataclass(frozen=True)
class Span:
    name: str
    id: str
    parent: str
    trace: str
    process: int
    attributes: dict


class Collector(ThreadingHTTPServer):
    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.spans = []
        self.bodies = []

    def of(self, trace):
        return [each for each in self.spans if each.trace == trace]


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.bodies.append(body)
        for group in ExportTraceServiceRequest.FromString(body).resource_spans:
            of_process = values(group.resource.attributes)
            self.server.spans += [
                Span(
                    each.name,
                    each.span_id.hex(),
                    each.parent_span_id.hex(),
                    each.trace_id.hex(),
                    of_process["process.pid"],
                    values(each.attributes),
                )
                for scope in group.scope_spans
                for each in scope.spans
            ]
        self.send_response(200)
        self.send_header("Content-Type", "application/x-protobuf")
        self.end_headers()
        self.wfile.write(ExportTraceServiceResponse().SerializeToString())

    def log_message(self, *_):
        pass


def values(attributes):
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in attributes}


@pytest.fixture
def collector():
    with Collector() as server:
        Thread(target=server.serve_forever).start()
        yield server
        server.shutdown()


def test_one_trace_covers_request_job_and_push(fleet, collector):
    service = fleet.service
    person, manager = service.candidate("league"), service.staff("manager")
    traced = {
        "COMPETITION_TRACES_ENDPOINT": f"http://127.0.0.1:{collector.server_port}/v1/traces",
        "OTEL_BSP_SCHEDULE_DELAY": "50",
    }
    worker = fleet.start_worker(**traced)
    ws, clients = fleet.start_ws(**traced)
    # This delay makes the api send its spans only when it is stopped.
    process, api = fleet.start_api(**traced | {"OTEL_BSP_SCHEDULE_DELAY": "600000"})
    with clients.open(person) as open_socket:
        reply = httpx.post(
            f"{api}/broadcasts/?ticket={SECRET}",
            json={
                "subject": "News",
                "message": SECRET,
                "mediums": ["platform", "email"],
                "target_roles": {"candidate": ["league"]},
            },
            headers={
                "X-Api-Key": service.key,
                "Authorization": f"Bearer {manager.client.token}",
                "traceparent": f"00-{TRACE}-{CLICK}-01",
            },
            timeout=PATIENCE,
        )
        assert reply.status_code == 201
        assert subjects(open_socket, 1) == ["News"]
    assert process.end(signal.SIGTERM) == 0

    in_the_worker = ("job broadcasts.send", "job core.send_mails", "mail broadcasts.broadcast")
    expected = {"POST /broadcasts/", "push notifications", *in_the_worker}
    wait_until(lambda: expected <= {each.name for each in collector.of(TRACE)})
    # A statement's span is sent before its parent's span, which ends later.
    spans = {each.id: each for each in collector.of(TRACE)}
    by_name = {each.name: each for each in spans.values()}
    request, job, push = (
        by_name["POST /broadcasts/"],
        by_name["job broadcasts.send"],
        by_name["push notifications"],
    )
    assert (request.parent, job.parent) == (CLICK, request.id)
    for name in expected - {request.name, job.name}:
        assert by_name[name].parent == job.id, name
    assert {by_name[name].process for name in in_the_worker} == {worker.pid}
    assert push.process == ws.pid
    assert request.process not in (worker.pid, ws.pid)
    assert request.attributes["http.response.status_code"] == 201
    for each in (request, job):
        assert each.attributes["competition.request_id"] == reply.headers["X-Request-Id"]
    statements = [each for each in collector.spans if "db.query.text" in each.attributes]
    assert expected <= {spans[each.parent].name for each in statements if each.parent in spans}
    # Polling that finds nothing to do creates no trace.
    assert all(each.parent for each in statements)
    sent = repr([each.attributes for each in collector.spans])
    for secret in (SECRET, person.email, str(person.id), manager.client.token):
        assert secret not in sent


def test_a_statement_that_fails_is_traced_without_the_row(live, collector):
    """PostgreSQL's error message quotes the row, so a trace must not contain the message."""
    url = f"http://127.0.0.1:{collector.server_port}/v1/traces"
    traces, engine = make_traces(TraceSettings(endpoint=url)), live.runtime.database.changing
    flag = {"name": SECRET, "enabled": True, "updated_at": datetime.now(UTC)}
    traces.watch(engine)
    with traces.span("probe", "server"), engine.connect() as connection:
        with pytest.raises(IntegrityError):
            connection.execute(insert(Flag), [flag, flag])
        connection.rollback()
    traces.close()
    [statement] = [each for each in collector.spans if each.name == "INSERT"]
    assert statement.attributes["error.type"] == "UniqueViolation"
    assert not any(SECRET.encode() in each for each in collector.bodies)


def test_without_the_package_the_error_says_what_to_install(monkeypatch):
    # Python documents that importing a module fails if `sys.modules` has None for it.
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    monkeypatch.delitem(sys.modules, "competition.core.monitoring.telemetry", raising=False)
    with pytest.raises(SettingsError, match=r"pip install 'competition\[traces\]'"):
        make_traces(TraceSettings(endpoint="http://127.0.0.1/v1/traces"))
    assert make_traces(TraceSettings()).traceparent is None
