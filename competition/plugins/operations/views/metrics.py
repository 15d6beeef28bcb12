from typing import Any

from pyramid.response import Response

from competition.core.auth.access import PUBLIC
from competition.core.errors import (
    AuthenticationFailed,
    NotAuthenticated,
    NotFound,
    PermissionDenied,
    ServiceUnavailable,
)
from competition.core.monitoring.metrics import MEDIA_TYPE, Gauge, WatchedGauge
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.operations.services import metrics as services

metrics = Service("/metrics/")


@metrics.get(
    access=PUBLIC,
    limit="none",
    errors=(
        *(NotFound, NotAuthenticated, AuthenticationFailed),
        *(PermissionDenied, ServiceUnavailable),
    ),
    media_type=MEDIA_TYPE,
)
def show_metrics(request: Request) -> Any:
    """Get the metrics of the service, in the format of Prometheus.

    Send the token from the settings as a bearer token, or an API key with the scope `metrics`.
    """
    work = request.work
    services.check_may_scrape(work, request.bearer_token, request.headers.get("X-Api-Key"))
    gauges = [
        Gauge(each.name, each.help, each.read(work))
        for each in work.runtime.catalogue[WatchedGauge].values()
    ]
    text = work.runtime.metrics.exposition(gauges)
    return Response(text, content_type=MEDIA_TYPE, charset="utf-8")
