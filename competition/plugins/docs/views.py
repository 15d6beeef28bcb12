from typing import Any

from competition.core.request import Request
from competition.core.roles import PUBLIC
from competition.core.service import Service
from competition.plugins.docs import presenters, services

health_check = Service("/health/")
specification = Service("/docs/spec/")


@health_check.get(access=PUBLIC, limit="none", other_statuses=(503,))
def health(request: Request) -> presenters.Health:
    """Is the service up? 503 in the same shape when the database is down."""
    healthy = services.is_healthy(request.work)
    if not healthy:
        request.response.status_int = 503
    return presenters.health(healthy, request.work.now)


@specification.get(access=PUBLIC, limit="none")
def openapi_document(request: Request) -> dict[str, Any]:
    """This document."""
    document: dict[str, Any] = request.registry.document
    return document
