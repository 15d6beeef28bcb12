"""Metrics for Prometheus.

Each process has its own counters and is scraped at its own address. The api and the socket process
serve the metrics on their usual port, and a worker on an extra port. The processes of one
`competition api` write their counters to files in a shared folder, so each process returns the
totals of all processes.
"""

import hmac
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from competition.core.catalogue import declaration
from competition.core.errors import AuthenticationFailed, NotAuthenticated, NotFound
from competition.core.settings import Secret, setting

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client import Counter as PrometheusCounter
    from prometheus_client.core import Metric

# The environment variable of prometheus_client for the shared folder.
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
MEDIA_TYPE = "text/plain"


@dataclass(frozen=True, kw_only=True)
class MetricsSettings:
    """`token` is the bearer token that the scraper must send. If it is empty, there are no metrics.
    A worker serves its metrics on `worker_host` and `worker_port`, or not at all if the port is
    0."""

    prefix: ClassVar[str] = "competition.metrics"
    token: Secret = setting(Secret(""))
    worker_host: str = setting("127.0.0.1")
    worker_port: int = setting(0, minimum=0)


SETTINGS = MetricsSettings


def check_scraper(settings: MetricsSettings, sent: str | None) -> None:
    """Check the token that a scraper has sent.

    Raises NotFound if no token is configured, NotAuthenticated if none was sent, and
    AuthenticationFailed if it is wrong.
    """
    if not settings.token:
        raise NotFound
    if sent is None:
        raise NotAuthenticated
    if not hmac.compare_digest(sent.encode(errors="backslashreplace"), settings.token.encode()):
        raise AuthenticationFailed


class Gauge(NamedTuple):
    """The current value of a metric."""

    name: str
    help: str
    value: float


# The argument is a Work. Its class can't be imported here, because it depends on this module.
Read = Callable[[Any], float]


@dataclass(frozen=True)
class WatchedGauge:
    """A declared gauge. `read`, which is called whenever the metrics are scraped, returns its
    value."""

    name: str
    help: str
    read: Read


def gauge(name: str, help: str) -> Callable[[Read], Read]:
    """Declare that the decorated function returns the value of a gauge, such as a number of rows.

    The metrics show the gauge as ``competition_<name>``. A scan of the function's module finds it.
    """
    return declaration(
        WatchedGauge, name, lambda read: WatchedGauge(f"competition_{name}", help, read)
    )


@dataclass(frozen=True)
class Counter:
    """A counter, which the metrics show as ``competition_<name>_total``. Declare it once, as
    a constant of a module:

    MADE = Counter("certificates_made", "Certificates that were made.")
    work.runtime.metrics.count(MADE)
    """

    name: str
    help: str


class Metrics:
    """The metrics of this process: the counters and histograms of core, and the counters that
    plugins have declared and counted."""

    def __init__(self) -> None:
        # Imported here, after the fork: prometheus_client decides during its import whether it
        # writes to a shared folder.
        from prometheus_client import CollectorRegistry, Histogram

        self._registry = CollectorRegistry()
        self.request_seconds = Histogram(
            "competition_request_seconds",
            "How long requests took, by method, route and status.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self.job_seconds = Histogram(
            "competition_job_seconds",
            "How long runs of jobs took, by task and outcome: done, failed, lost.",
            ("task", "outcome"),
            registry=self._registry,
        )
        self.password_seconds = self._counter(
            "password_cpu_seconds", "CPU time that hashing passwords for clients took, in seconds."
        )
        self.unchecked_limits = self._counter(
            "unchecked_limits",
            "How often rate limits were not checked because Redis was unavailable.",
        )
        self.pushed_frames = self._counter("pushed_frames", "Frames sent to sockets.")
        self.events = self._counter(
            "events", "Events that were emitted and committed, by the name of the event.", ["event"]
        )
        self.dropped_sockets = self._counter(
            "dropped_sockets",
            "Sockets that were closed because the client did not answer a ping in time.",
        )
        self._counted: dict[Counter, PrometheusCounter] = {}
        self._lock = threading.Lock()

    def _counter(self, name: str, help: str, labels: Iterable[str] = ()) -> "PrometheusCounter":
        from prometheus_client import Counter as PrometheusCounter

        return PrometheusCounter(f"competition_{name}", help, labels, registry=self._registry)

    def count(self, counter: Counter, by: int = 1) -> None:
        """Increase a counter of this process. A failed transaction does not undo this, so count
        changes of the database in ``work.after_commit``."""
        with self._lock:
            if counter not in self._counted:
                self._counted[counter] = self._counter(counter.name, counter.help)
        self._counted[counter].inc(by)

    def exposition(self, gauges: Iterable[Gauge] = ()) -> bytes:
        """The metrics in Prometheus's text format."""
        from prometheus_client import generate_latest

        return generate_latest(self.registry(gauges))

    def registry(self, gauges: Iterable[Gauge] = ()) -> "CollectorRegistry":
        """A registry with the gauges, and with the counters of this process and of the processes
        that share its folder."""
        from prometheus_client import CollectorRegistry
        from prometheus_client.multiprocess import MultiProcessCollector

        registry = CollectorRegistry()
        if SHARED_FOLDER in os.environ:
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # it lacks types
        else:
            registry.register(self._registry)
        registry.register(_Now(gauges))
        return registry


class _Now:
    def __init__(self, gauges: Iterable[Gauge]) -> None:
        self._gauges = gauges

    def collect(self) -> Iterator["Metric"]:
        from prometheus_client.core import GaugeMetricFamily

        for gauge in self._gauges:
            yield GaugeMetricFamily(gauge.name, gauge.help, gauge.value)
