"""Pages for people, and static files, outside ``/v1``: no key, no token, never in the API document.

Requests for a page are counted by the client's address, and against no other limit.
"""

from collections.abc import Callable
from html import escape
from typing import Any

from pyramid.config import Configurator
from pyramid.response import Response

from competition.core.catalogue import function_of
from competition.core.errors import ApiError, error_response
from competition.core.web import limits, paths
from competition.core.web.request import Request

READING = ("GET", "HEAD")
A_DAY = 24 * 60 * 60
# A page brings nothing from elsewhere and runs no script, unless it says so itself.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "img-src 'self' data:",
        "style-src 'self' 'unsafe-inline'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)


def add_page(config: Configurator, path: str, view: Callable[..., str] | str) -> None:
    """Configuration directive ``config.add_page("/certificates/{code}/", show)``: the view,
    or its dotted name, gets the request and what the path has, and returns HTML; it may raise
    ApiErrors, which are told in a page. The path's types are those of endpoints."""
    page = function_of(config, view)
    types = paths.types_of(path)
    route = f"page {path}"

    def show(request: Request) -> Response:
        limits.count_address(request)
        values = {**request.matchdict, **paths.read(types, request.matchdict)}
        return _html(Response(page(request, **values)))

    config.add_route(route, paths.route_of(path, types), request_method=READING)
    config.add_view(show, route_name=route)
    config.add_exception_view(refused, context=ApiError, route_name=route)


def refused(error: ApiError, request: Request) -> Response:
    """What a page raised, for a person to read."""
    response = error_response(error)
    detail = escape(error.detail)
    response.text = f'<!doctype html><html lang="en"><title>{detail}</title><p>{detail}</p></html>'
    return _html(response)


def _html(response: Response) -> Response:
    response.content_type, response.charset = "text/html", "utf-8"
    response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    return response


def add_static_files(config: Configurator, path: str, folder: str) -> None:
    """Configuration directive ``config.add_static_files("certificates/static", "static")``: a
    folder of the plugin, which clients may keep for a day."""
    config.add_static_view(path, folder, cache_max_age=A_DAY, request_method=READING)


def includeme(config: Any) -> None:
    config.add_directive("add_page", add_page)
    config.add_directive("add_static_files", add_static_files)
