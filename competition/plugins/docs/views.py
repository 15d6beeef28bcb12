import gzip
from functools import lru_cache
from typing import Any

import msgspec
from pyramid.response import Response

from competition.core.auth.access import PUBLIC
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.docs import pages

index = Service("/docs/")
specification = Service("/docs/spec/")
events = Service("/docs/events/")
swagger = Service("/docs/swagger/")
redoc = Service("/docs/redoc/")


@specification.get(access=PUBLIC, limit="none", polled=True)
def openapi_document(request: Request) -> dict[str, Any] | Response:
    """Get this OpenAPI document."""
    return _compressed(request, request.registry.document)


@events.get(access=PUBLIC, limit="none", polled=True)
def asyncapi_document(request: Request) -> dict[str, Any] | Response:
    """Get the AsyncAPI document: the messages that clients receive and may send over a
    WebSocket."""
    return _compressed(request, request.registry.events_document)


@index.get(access=PUBLIC, limit="none", media_type="text/html")
def index_page(request: Request) -> Any:
    """Show a page with links to the documents."""
    return _html(pages.index(request.registry.runtime.service.name, _up(request)))


@swagger.get(access=PUBLIC, limit="none", media_type="text/html")
def swagger_page(request: Request) -> Any:
    """Show the API reference as a page that can send requests (Swagger UI)."""
    return _html(pages.swagger(_up(request)))


@redoc.get(access=PUBLIC, limit="none", media_type="text/html")
def redoc_page(request: Request) -> Any:
    """Show the API reference as a page to read (Redoc)."""
    return _html(pages.redoc(_up(request)))


def _up(request: Request) -> str:
    """The relative path to the folder of the docs: for browsers, ``docs/swagger`` is a file in it,
    and ``docs/swagger/`` is a folder in it."""
    return "../" if request.ends_in_slash else ""


def _compressed(request: Request, document: dict[str, Any]) -> Response:
    """The document as JSON, compressed for clients that accept gzip. It is public and contains
    nothing that the client sent, so its length reveals no secret (BREACH)."""
    response = request.response
    response.body = msgspec.json.encode(document)
    response.vary = ("Accept-Encoding",)
    # A client without this header gets the document uncompressed. By the standard, such a client
    # accepts any encoding; in practice, few do.
    if "Accept-Encoding" in request.headers and request.accept_encoding.acceptable_offers(["gzip"]):
        response.body = _gzipped(response.body)
        response.content_encoding = "gzip"
    return response


# Cached, because anyone may request these documents without a limit, and compressing one takes
# several times as long as sending it. There are two documents.
@lru_cache(maxsize=2)
def _gzipped(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


def _html(page: str) -> Any:
    response = Response(page, content_type="text/html")
    response.headers["Content-Security-Policy"] = pages.CONTENT_SECURITY_POLICY
    return response
