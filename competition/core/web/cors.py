"""CORS: the other origins whose web pages may call the service. By default there are none.

This is a tween, so that it covers errors and unknown paths as well.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from pyramid.config import Configurator
from pyramid.response import Response
from pyramid.tweens import INGRESS

from competition.core.settings import setting
from competition.core.web.request import Request
from competition.core.web.service import endpoints

METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE"
# The headers that pages may send, in addition to those that endpoints declare. Tracing in clients
# adds `traceparent`, and many libraries add X-Requested-With.
REQUEST_HEADERS = (
    "Authorization",
    "Content-Type",
    "If-None-Match",
    "X-Api-Key",
    "X-Requested-With",
    "traceparent",
)
RESPONSE_HEADERS = (
    "Content-Disposition, Date, Deprecation, ETag, Retry-After, Sunset, WWW-Authenticate, "
    "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"
)
# How long browsers may cache the reply to a preflight request, in seconds. No browser caches it for
# longer than two hours.
MAX_AGE = 7200


@dataclass(frozen=True, kw_only=True)
class CorsSettings:
    """`origins` are the allowed origins, such as ``https://app.league.example``."""

    prefix: ClassVar[str] = "competition.cors"
    origins: tuple[str, ...] = setting(())


SETTINGS = CorsSettings


Handler = Callable[[Request], Response]


def tween_factory(handler: Handler, registry: Any) -> Handler:
    settings = registry.runtime.settings[CorsSettings]
    declared = {name for each in endpoints(registry) for name in each.header_names.values()}
    request_headers = ", ".join(sorted({*REQUEST_HEADERS, *declared}))

    def tween(request: Request) -> Response:
        origin = request.headers.get("Origin")
        if origin not in settings.origins:
            return handler(request)
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            response = Response(status=204)
            response.headers["Access-Control-Allow-Methods"] = METHODS
            response.headers["Access-Control-Allow-Headers"] = request_headers
            response.headers["Access-Control-Max-Age"] = str(MAX_AGE)
            response.headers["X-Request-Id"] = request.request_id
        else:
            response = handler(request)
            response.headers["Access-Control-Expose-Headers"] = RESPONSE_HEADERS
        response.headers["Access-Control-Allow-Origin"] = origin
        response.vary = (*(response.vary or ()), "Origin")
        return response

    return tween


def includeme(config: Configurator) -> None:
    # Without origins no response differs by origin, so none needs a Vary header either.
    if config.registry.runtime.settings[CorsSettings].origins:
        config.add_tween("competition.core.web.cors.tween_factory", under=INGRESS)
