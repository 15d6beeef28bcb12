from typing import Any

from pyramid.response import Response

from competition.core.auth.access import PUBLIC
from competition.core.errors import (
    AuthenticationFailed,
    NotAuthenticated,
    NotFound,
    ServiceUnavailable,
)
from competition.core.metrics import MEDIA_TYPE, Gauge, MetricsSettings, WatchedGauge
from competition.core.web.request import Request
from competition.core.web.scraping import check_scraper
from competition.core.web.service import Service

metrics = Service("/metrics/")


@metrics.get(
    access=PUBLIC,
    limit="none",
    errors=(NotFound, NotAuthenticated, AuthenticationFailed, ServiceUnavailable),
    media_type=MEDIA_TYPE,
)
def show_metrics(request: Request) -> Any:
    """Numbers for Prometheus, which sends the configured token as its bearer token."""
    check_scraper(request.work.settings[MetricsSettings], request.bearer_token)
    work = request.work
    gauges = [
        Gauge(each.name, each.help, each.read(work))
        for each in work.runtime.catalogue[WatchedGauge].values()
    ]
    text = work.runtime.metrics.exposition(gauges)
    return Response(text, content_type=MEDIA_TYPE, charset="utf-8")
