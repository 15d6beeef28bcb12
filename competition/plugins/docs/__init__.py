"""The document of the service, and pages that show it."""

from pyramid.config import Configurator

A_DAY = 24 * 60 * 60


def includeme(config: Configurator) -> None:
    reading = ("GET", "HEAD")
    config.add_static_view("docs/static", "static", cache_max_age=A_DAY, request_method=reading)
    config.scan()
