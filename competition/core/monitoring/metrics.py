"""What operators watch, in the form of Prometheus.

Each process counts for itself, and is asked by an address of its own: the api and the socket
process by the port that they have anyway, a worker by one that it has for this. Those of one
`competition api` count into files of a folder that they share, so that whichever of them is asked
answers for all.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from competition.core.catalogue import declare
from competition.core.settings import Secret, setting

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.core import Metric

# The library's own variable.
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
MEDIA_TYPE = "text/plain"


@dataclass(frozen=True, kw_only=True)
class MetricsSettings:
    """`token` is what the scraper sends as its bearer token. Without one nobody gets them. A worker
    is asked on `worker_host`, port `worker_port`; 0: nowhere."""

    prefix: ClassVar[str] = "competition.metrics"
    token: Secret = setting(Secret(""))
    worker_host: str = setting("127.0.0.1")
    worker_port: int = setting(0, minimum=0)


SETTINGS = MetricsSettings


class Gauge(NamedTuple):
    """A number as it is now."""

    name: str
    help: str
    value: float


# What a gauge gets is a Work.
Read = Callable[[Any], float]


@dataclass(frozen=True)
class WatchedGauge:
    """A gauge that is read whenever the metrics are scraped."""

    name: str
    help: str
    read: Read


def gauge(name: str, help: str) -> Callable[[Read], Read]:
    """Declare a gauge, found when its module is scanned: a number that the function finds, such as
    how many wait. The metrics show it as ``competition_<name>``."""

    def decorate(read: Read) -> Read:
        declare(read, WatchedGauge, name, lambda: WatchedGauge(f"competition_{name}", help, read))
        return read

    return decorate


@dataclass(frozen=True)
class Counter:
    """Something that is counted, as ``competition_<name>_total``; declared once, in a module:

    MADE = Counter("certificates_made", "Certificates that were made.")
    work.runtime.metrics.count(MADE)
    """

    name: str
    help: str


class Metrics:
    """What this process has counted."""

    def __init__(self) -> None:
        # When it is imported it decides whether there is a shared folder: that is after the fork.
        from prometheus_client import CollectorRegistry, Histogram
        from prometheus_client import Counter as PrometheusCounter

        self._registry = CollectorRegistry()
        self.request_seconds = Histogram(
            "competition_request_seconds",
            "How long requests took, by method, route and status.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self.job_seconds = Histogram(
            "competition_job_seconds",
            "How long runs of jobs took, by task and what became of them: done, failed, lost.",
            ("task", "outcome"),
            registry=self._registry,
        )
        self.password_seconds = PrometheusCounter(
            "competition_password_cpu_seconds",
            "Processor time, in seconds, that hashing passwords for clients took.",
            registry=self._registry,
        )
        self.unchecked_limits = PrometheusCounter(
            "competition_unchecked_limits",
            "How often rate limits were not checked, because Redis could not be asked.",
            registry=self._registry,
        )
        self.pushed_frames = PrometheusCounter(
            "competition_pushed_frames", "Frames sent to sockets.", registry=self._registry
        )
        self.events = PrometheusCounter(
            "competition_events",
            "What plugins told each other, by the name of the event; committed ones only.",
            ("event",),
            registry=self._registry,
        )
        self._counted: dict[Counter, Any] = {}
        self._lock = threading.Lock()
        self.dropped_sockets = PrometheusCounter(
            "competition_dropped_sockets",
            "Sockets that were closed because their clients answered no ping in time.",
            registry=self._registry,
        )

    def count(self, counter: Counter, by: int = 1) -> None:
        """Add to a counter of this process. Not undone by a transaction that fails: count what is
        committed, in ``work.after_commit``."""
        from prometheus_client import Counter as PrometheusCounter

        with self._lock:
            if counter not in self._counted:
                self._counted[counter] = PrometheusCounter(
                    f"competition_{counter.name}", counter.help, registry=self._registry
                )
        self._counted[counter].inc(by)

    def exposition(self, gauges: Iterable[Gauge] = ()) -> bytes:
        """The text that a scraper reads."""
        from prometheus_client import generate_latest

        return generate_latest(self.registry(gauges))

    def registry(self, gauges: Iterable[Gauge] = ()) -> "CollectorRegistry":
        """What a scraper gets: the counts, of all processes that share them, and the gauges."""
        from prometheus_client import CollectorRegistry
        from prometheus_client.multiprocess import MultiProcessCollector

        registry = CollectorRegistry()
        if SHARED_FOLDER in os.environ:
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # half typed
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
