"""Traces: the operations that a request consists of, also in other processes, and their duration.

OpenTelemetry exports the traces. It is not even imported if no endpoint is configured.

A span is one operation of one process: a request, a statement, a job, an email or a push. A span
passes its `traceparent` on to what it causes, in the row of a job or an email or in the NOTIFY of a
push. So all spans that one request causes form one trace. Spans contain nothing about people: no
addresses, query strings or values of statements.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pyramid.config import Configurator
from pyramid.tweens import INGRESS
from sqlalchemy import Engine

from competition.core.settings import setting

Kind = Literal["server", "client", "producer", "consumer"]


@dataclass(frozen=True, kw_only=True)
class TraceSettings:
    """`endpoint` is the URL of a collector for OTLP over HTTP, such as
    ``http://collector:4318/v1/traces``. If it is empty, nothing is traced. `ratio` is the share of
    traces that are recorded, from 0 to 1. Everything else is set by OpenTelemetry's environment
    variables, such as ``OTEL_EXPORTER_OTLP_HEADERS``."""

    prefix: ClassVar[str] = "competition.traces"
    endpoint: str = setting("")
    ratio: float = setting(1.0, minimum=0)


SETTINGS = TraceSettings


class Traces:
    """The interface for spans. This class records none: processes without traces use it. Its
    subclass `OpenTelemetry` records them."""

    @property
    def traceparent(self) -> str | None:
        """The id of the current span, for the jobs and messages that it causes; None outside a
        span."""
        return None

    @contextmanager
    def span(
        self,
        name: str,
        kind: Kind,
        causes: Iterable[str | None] = (),
        attributes: Mapping[str, Any] | None = None,
    ) -> Iterator[None]:
        """Context manager: record the operation inside as a span.

        `causes` are the `traceparent` values of the spans that caused the new span. The new span
        belongs to the trace of the first cause, and is linked to the others. Without causes, it is
        a child of the current span or, if there is none, starts a new trace. If an exception is
        raised, the span records the class of the exception.
        """
        yield

    def watch(self, engine: Engine) -> None:
        """Record each statement of the engine as a child of the current span."""

    def close(self) -> None:
        """Send the spans that have not been sent yet."""


def includeme(config: Configurator) -> None:
    if config.registry.runtime.settings[TraceSettings].endpoint:
        config.add_tween("competition.core.monitoring.telemetry.trace_requests", under=INGRESS)
