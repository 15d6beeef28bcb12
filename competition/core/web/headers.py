"""Security headers of every response.

A tween, so that errors, unknown paths and static files are covered as well.
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

# Take it for what it says it is, show it in no frame, and tell nobody where a link was.
ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
}
# Of what is no page, and has none of its own.
NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'"


@dataclass(frozen=True, kw_only=True)
class BrowserSettings:
    """`hsts` is for how many seconds a browser that was here once takes nothing but https; 0 leaves
    that to the proxy."""

    prefix: ClassVar[str] = "competition.browser"
    hsts: int = setting(0, minimum=0)


SETTINGS = BrowserSettings


Handler = Callable[[Request], Response]


def for_browsers(settings: Settings) -> dict[str, str]:
    """What every answer says, of sockets' processes too."""
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
