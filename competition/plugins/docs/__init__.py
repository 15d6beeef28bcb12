"""What a client asks before anything else: is the service up, and what can it do."""

from pyramid.config import Configurator
from pyramid.response import Response

from competition.core.web.request import Request
from competition.plugins.docs import pages

A_DAY = 24 * 60 * 60


def redoc_bundle(request: Request) -> Response:
    return Response(pages.redoc_bundle(), content_type="text/javascript")


def includeme(config: Configurator) -> None:
    reading = {"request_method": ("GET", "HEAD")}
    config.add_static_view("docs/assets", str(pages.assets()), cache_max_age=A_DAY, **reading)
    config.add_static_view("docs/static", "static", cache_max_age=A_DAY, **reading)
    config.add_route("docs.redoc_bundle", "docs/redoc-bundle/", **reading)
    config.add_view(redoc_bundle, route_name="docs.redoc_bundle", http_cache=A_DAY)
    config.scan()
