"""Traces with OpenTelemetry. It is an optional dependency, so this module is imported only if
traces are enabled.

SQL statements are traced through SQLAlchemy's events, because OpenTelemetry's instrumentation
packages are not suitable. The package for SQLAlchemy supports only versions before 2.1. The package
for psycopg records PostgreSQL's error messages, which quote rows. The package for Pyramid records
the query strings of URLs, which contain signatures.
"""

import os
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import TraceIdRatioBased
from opentelemetry.trace import Link, SpanContext, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.util.types import AnyValue
from pyramid.response import Response
from sqlalchemy import Connection, Engine, ExceptionContext, event

from competition.core.monitoring.traces import Kind, Traces

# Writes and reads the header `traceparent` of W3C Trace Context.
PROPAGATOR = TraceContextTextMapPropagator()
# How many characters of a statement a span contains at most.
LONGEST_STATEMENT = 2_000
MOST_LINKS = 100
# The key in the `info` of a connection for the span of the statement that it is executing.
SPAN = "competition.span"


class OpenTelemetry(Traces):
    def __init__(self, endpoint: str, ratio: float) -> None:
        about: dict[str, AnyValue] = {"process.pid": os.getpid(), "host.name": socket.gethostname()}
        if "OTEL_SERVICE_NAME" not in os.environ:
            about["service.name"] = "competition"
        self._provider = TracerProvider(
            resource=Resource.create(about),
            # Only the trace id decides whether a trace is recorded. So all processes decide in the
            # same way, and the flag in a client's `traceparent` has no effect.
            sampler=TraceIdRatioBased(min(ratio, 1.0)),
        )
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)))
        self._tracer = self._provider.get_tracer("competition")

    @property
    def traceparent(self) -> str | None:
        carrier: dict[str, str] = {}
        PROPAGATOR.inject(carrier)
        return carrier.get("traceparent")

    @contextmanager
    def span(
        self,
        name: str,
        kind: Kind,
        causes: Iterable[str | None] = (),
        attributes: Mapping[str, Any] | None = None,
    ) -> Iterator[None]:
        found = [*filter(None, map(_context, causes))]
        inside = trace.set_span_in_context(trace.NonRecordingSpan(found[0])) if found else None
        with self._tracer.start_as_current_span(
            name,
            context=inside,
            kind=SpanKind[kind.upper()],
            attributes=attributes,
            links=[Link(each) for each in found[1:MOST_LINKS]],
            # An exception's message may quote a row.
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield
            except BaseException as error:
                span.set_attribute("error.type", type(error).__name__)
                span.set_status(StatusCode.ERROR)
                raise

    def watch(self, engine: Engine) -> None:
        event.listen(engine, "before_cursor_execute", self._begin_statement)
        event.listen(engine, "after_cursor_execute", self._end_statement)
        event.listen(engine, "handle_error", self._end_failed)

    def close(self) -> None:
        self._provider.shutdown()

    def _begin_statement(
        self, connection: Connection, cursor: Any, statement: str, *rest: Any
    ) -> None:
        # A statement outside a trace, such as a worker's poll for jobs, does not start a trace.
        if not trace.get_current_span().is_recording():
            return
        verb = statement.lstrip().partition(" ")[0].strip().upper()
        connection.info[SPAN] = self._tracer.start_span(
            verb,
            kind=SpanKind.CLIENT,
            attributes={
                "db.system.name": "postgresql",
                "db.operation.name": verb,
                "db.query.text": statement[:LONGEST_STATEMENT],
            },
        )

    def _end_statement(self, connection: Connection, *rest: Any) -> None:
        span = connection.info.pop(SPAN, None)
        if span is not None:
            span.end()

    def _end_failed(self, failure: ExceptionContext) -> None:
        # There is no connection if connecting failed.
        span = failure.connection.info.pop(SPAN, None) if failure.connection else None
        if span is not None:
            span.set_attribute("error.type", type(failure.original_exception).__name__)
            span.set_status(StatusCode.ERROR)
            span.end()


def _context(traceparent: str | None) -> SpanContext | None:
    """The context of the span that a `traceparent` names, or None if it is missing or malformed."""
    inside = PROPAGATOR.extract({"traceparent": traceparent or ""}, Context())
    found = trace.get_current_span(inside).get_span_context()
    return found if found.is_valid else None


def trace_requests(handler: Callable[[Any], Response], registry: Any) -> Callable[[Any], Response]:
    """A tween that records each request as a span. It wraps all other tweens, so the span includes
    the commit."""
    traces: OpenTelemetry = registry.runtime.traces

    def traced(request: Any) -> Response:
        cause = request.headers.get("traceparent")
        method = {"http.request.method": request.method}
        with traces.span(request.method, "server", [cause], method):
            response = handler(request)
            service = request.current_service
            route = service.name if service else ""
            span = trace.get_current_span()
            span.update_name(f"{request.method} {route}".rstrip())
            span.set_attributes(
                {
                    "http.route": route,
                    "http.response.status_code": response.status_int,
                    "competition.request_id": request.request_id,
                }
            )
            if response.status_int >= 500:
                span.set_status(StatusCode.ERROR)
        return response

    return traced
