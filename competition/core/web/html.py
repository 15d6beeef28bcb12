"""Web pages and static files outside ``/v1``.

They need no API key and no token, and are not in the API document. Requests for a page are counted
by the client's address, and against no other limit.
"""

from collections.abc import Callable
from html import escape
from typing import Any

from pyramid.config import Configurator
from pyramid.response import Response

from competition.core.catalogue import when_scanned
from competition.core.errors import ApiError, error_response
from competition.core.messages import ENGLISH, language_of, translate_for, worded
from competition.core.web import counting, paths
from competition.core.web.request import Request

View = Callable[..., str]

A_DAY = 24 * 60 * 60
# A page loads nothing from other sites and runs no script.
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


def page(path: str) -> Callable[[View], View]:
    """Declare a page, such as ``@page("/certificates/{code}/")``. A scan of its module finds it.

    The decorated function takes the request and the arguments of the path, and returns HTML. Like a
    GET of an endpoint, it may only read. If it raises an ApiError, the client gets a page with the
    error's message. The arguments of the path can have the same types as in paths of endpoints.
    """

    def decorate(view: View) -> View:
        return when_scanned(view, lambda config: add_page(config, path, view))

    return decorate


def add_page(config: Configurator, path: str, view: View) -> None:
    """Configuration directive ``config.add_page("/certificates/", view)``: the same as ``@page``,
    for a page whose path is not known before the plugin is configured."""
    types = paths.types_of(path)
    route = f"page {path}"

    def show(request: Request) -> Response:
        request.only_reads = True
        counting.count_address(request)
        page = view(request, **paths.read(types, request.matchdict))
        request.check_unchanged()
        return _html(Response(page))

    config.add_route(route, paths.route_of(path, types), request_method=counting.READING)
    config.add_view(show, route_name=route)
    config.add_exception_view(refused, context=ApiError, route_name=route)


def refused(error: ApiError, request: Request) -> Response:
    """Exception view of pages: show the message of the ApiError as HTML."""
    response = error_response(error, request)
    language = language_of(request) or ENGLISH
    detail = escape(worded(error.detail, translate_for(request.registry.runtime, language)))
    response.text = (
        f'<!doctype html><html lang="{language}"><title>{detail}</title><p>{detail}</p></html>'
    )
    return _html(response)


def _html(response: Response) -> Response:
    response.content_type, response.charset = "text/html", "utf-8"
    response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    return response


def add_static_files(config: Configurator, path: str, folder: str) -> None:
    """Configuration directive ``config.add_static_files("certificates/static", "static")``: serve
    the files of a folder of the plugin. Clients may cache them for a day."""
    config.add_static_view(path, folder, cache_max_age=A_DAY, request_method=counting.READING)


def includeme(config: Any) -> None:
    config.add_directive("add_static_files", add_static_files)
    config.add_directive("add_page", add_page)
