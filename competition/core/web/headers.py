"""Security headers of every response.

This is a tween, so that it covers errors, unknown paths and static files as well.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from pyramid.config import Configurator
from pyramid.response import Response
from pyramid.tweens import INGRESS

from competition.core.settings import Settings, setting
from competition.core.web.request import Request
from competition.core.web.responses import add_headers

# Browsers don't guess the content type, show the response in no frame, and send no referrer.
ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
}
# The Content-Security-Policy of responses that have none yet. Pages set their own.
NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'"


@dataclass(frozen=True, kw_only=True)
class BrowserSettings:
    """`hsts` is how long browsers use only https after a visit, in seconds. With 0 the service
    sends no header Strict-Transport-Security, so that a proxy can send it instead."""

    prefix: ClassVar[str] = "competition.browser"
    hsts: int = setting(0, minimum=0)


SETTINGS = BrowserSettings


Handler = Callable[[Request], Response]


def for_browsers(settings: Settings) -> dict[str, str]:
    """The security headers of every response, including those of the socket process, except
    Content-Security-Policy."""
    headers = dict(ALWAYS)
    if hsts := settings[BrowserSettings].hsts:
        headers["Strict-Transport-Security"] = f"max-age={hsts}"
    return headers


def tween_factory(handler: Handler, registry: Any) -> Handler:
    headers = {**for_browsers(registry.runtime.settings), "Content-Security-Policy": NOTHING_RUNS}

    def tween(request: Request) -> Response:
        response = handler(request)
        add_headers(response, headers)
        return response

    return tween


def includeme(config: Configurator) -> None:
    config.add_tween("competition.core.web.headers.tween_factory", under=INGRESS)
