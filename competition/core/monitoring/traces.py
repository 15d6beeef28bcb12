"""Traces: what a request took its time for, and what came of it in other processes, as
OpenTelemetry has it. Off without an endpoint: then nothing of OpenTelemetry is imported.

A span is what one process did for one thing: a request, a statement, a job, a mail, a push. Spans
of one click are one trace, since each that causes another leaves its `traceparent` with that: in
the row of a job or a mail, in the NOTIFY of a push. Nothing about people is in them, no address,
query or value of a statement.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pyramid.config import Configurator
from pyramid.response import Response
from pyramid.tweens import INGRESS
from sqlalchemy import Engine

from competition.core.settings import setting

Kind = Literal["server", "client", "producer", "consumer"]


@dataclass(frozen=True, kw_only=True)
class TraceSettings:
    """`endpoint` is where a collector takes OTLP over HTTP, such as
    ``http://collector:4318/v1/traces``; `ratio` the share of traces that are kept. All else is in
    the variables of OpenTelemetry, such as ``OTEL_EXPORTER_OTLP_HEADERS``."""

    prefix: ClassVar[str] = "competition.traces"
    endpoint: str = setting("")
    ratio: float = setting(1.0, minimum=0)


SETTINGS = TraceSettings


class Span:
    """What is done now, or nothing."""

    def tell(self, **attributes: Any) -> None:
        """Attributes by their names, ``__`` for a dot."""

    def rename(self, name: str) -> None: ...

    def fail(self) -> None: ...


class Traces:
    """Of a process that is not traced."""

    @property
    def traceparent(self) -> str | None:
        """What goes along with what is caused now."""
        return None

    @contextmanager
    def span(
        self, name: str, kind: Kind, causes: Iterable[str | None] = (), **attributes: Any
    ) -> Iterator[Span]:
        """Context: a span of the trace of its first cause, linked to those of the others; without
        one it goes on with the span it is inside of, or is a trace of its own. An exception in it
        is noted by its name."""
        yield Span()

    def watch(self, engine: Engine) -> None:
        """Have each statement be a span, inside of another one."""

    def close(self) -> None:
        """Send what was not sent yet."""


def trace_requests(handler: Callable[[Any], Response], registry: Any) -> Callable[[Any], Response]:
    """A tween around all others: the commit is part of the request."""
    traces: Traces = registry.runtime.traces

    def trace(request: Any) -> Response:
        with traces.span(
            request.method,
            "server",
            [request.headers.get("traceparent")],
            http__request__method=request.method,
        ) as span:
            response = handler(request)
            service = request.current_service
            route = service.name if service else ""
            span.rename(f"{request.method} {route}".rstrip())
            span.tell(
                http__route=route,
                http__response__status_code=response.status_int,
                competition__request_id=request.request_id,
            )
            if response.status_int >= 500:
                span.fail()
        return response

    return trace


def includeme(config: Configurator) -> None:
    if config.registry.runtime.settings[TraceSettings].endpoint:
        config.add_tween("competition.core.monitoring.traces.trace_requests", under=INGRESS)
