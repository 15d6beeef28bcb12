"""What operators watch, in the form of Prometheus.

Each process counts for itself. Those of one `competition api` count into files of a folder that
they share, so that whichever of them is asked answers for all.
"""

import hmac
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from competition.core.errors import AuthenticationFailed, NotAuthenticated, NotFound
from competition.core.settings import Secret, setting

if TYPE_CHECKING:
    from prometheus_client.core import Metric

# The library's own variable.
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
MEDIA_TYPE = "text/plain"


@dataclass(frozen=True, kw_only=True)
class MetricsSettings:
    """`token` is what the scraper sends as its bearer token. Without one nobody gets them."""

    prefix: ClassVar[str] = "competition.metrics"
    token: Secret = setting(Secret(""))

    def check(self, sent: str | None) -> None:
        """Raises NotFound while there is no token, NotAuthenticated, AuthenticationFailed."""
        if not self.token:
            raise NotFound
        if sent is None:
            raise NotAuthenticated
        if not hmac.compare_digest(sent.encode(errors="backslashreplace"), self.token.encode()):
            raise AuthenticationFailed


SETTINGS = MetricsSettings


class Gauge(NamedTuple):
    """A number of now."""

    name: str
    help: str
    value: float


class Metrics:
    """What this process has counted."""

    def __init__(self) -> None:
        # When it is imported it decides whether there is a shared folder: that is after the fork.
        from prometheus_client import CollectorRegistry, Counter, Histogram

        self._registry = CollectorRegistry()
        self.request_seconds = Histogram(
            "competition_request_seconds",
            "How long requests took, by method, route and status.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self.unchecked_limits = Counter(
            "competition_unchecked_limits",
            "How often rate limits were not checked, because Redis could not be asked.",
            registry=self._registry,
        )
        self.pushed_frames = Counter(
            "competition_pushed_frames", "Frames sent to sockets.", registry=self._registry
        )
        self.dropped_sockets = Counter(
            "competition_dropped_sockets",
            "Sockets that were closed because they were read too slowly.",
            registry=self._registry,
        )

    def exposition(self, gauges: Iterable[Gauge] = ()) -> bytes:
        """The text that a scraper reads."""
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        registry = CollectorRegistry()
        if SHARED_FOLDER in os.environ:
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # half typed
        else:
            registry.register(self._registry)
        registry.register(_Now(gauges))
        return generate_latest(registry)


class _Now:
    def __init__(self, gauges: Iterable[Gauge]) -> None:
        self._gauges = gauges

    def collect(self) -> Iterator["Metric"]:
        from prometheus_client.core import GaugeMetricFamily

        for gauge in self._gauges:
            yield GaugeMetricFamily(gauge.name, gauge.help, gauge.value)
