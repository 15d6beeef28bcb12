from typing import Any

from pyramid.response import Response

from competition.core.auth.access import PUBLIC
from competition.core.errors import AuthenticationFailed, NotAuthenticated, NotFound
from competition.core.metrics import MEDIA_TYPE, MetricsSettings
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.metrics import services

metrics = Service("/metrics/")


@metrics.get(
    access=PUBLIC,
    limit="none",
    errors=(NotFound, NotAuthenticated, AuthenticationFailed),
    media_type=MEDIA_TYPE,
)
def show_metrics(request: Request) -> Any:
    """Numbers for Prometheus, which sends the configured token as its bearer token."""
    request.work.settings[MetricsSettings].check(request.bearer_token)
    text = request.registry.runtime.metrics.exposition(services.backlog(request.work))
    return Response(text, content_type=MEDIA_TYPE, charset="utf-8")
