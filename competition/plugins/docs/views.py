from typing import Any

from pyramid.response import Response

from competition.core.auth.access import PUBLIC
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.docs import pages, presenters, services

health_check = Service("/health/")
specification = Service("/docs/spec/")
swagger = Service("/docs/swagger/")
redoc = Service("/docs/redoc/")


@health_check.get(access=PUBLIC, limit="none", other_statuses=(503,))
def health(request: Request) -> presenters.Health:
    """Is the service up? 503 in the same shape when the database is down."""
    healthy = services.is_healthy(request.work)
    if not healthy:
        request.response.status_int = 503
    return presenters.health(healthy, request.work.now)


@specification.get(access=PUBLIC, limit="none", polled=True)
def openapi_document(request: Request) -> dict[str, Any]:
    """This document."""
    document: dict[str, Any] = request.registry.document
    return document


@swagger.get(access=PUBLIC, limit="none", media_type="text/html")
def swagger_page(request: Request) -> Any:
    """The document as a page that can call the service."""
    return _html(pages.swagger(_up(request)))


@redoc.get(access=PUBLIC, limit="none", media_type="text/html")
def redoc_page(request: Request) -> Any:
    """The document as a page to read."""
    return _html(pages.redoc(_up(request)))


def _up(request: Request) -> str:
    """A browser takes ``docs/swagger`` for a file in the folder, ``docs/swagger/`` for one more."""
    return "../" if request.ends_in_slash else ""


def _html(page: str) -> Any:
    response = Response(page, content_type="text/html")
    response.headers["Content-Security-Policy"] = pages.CONTENT_SECURITY_POLICY
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
