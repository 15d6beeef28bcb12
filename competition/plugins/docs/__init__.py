"""The OpenAPI document of the service, and pages that show it."""

from pyramid.config import Configurator

from competition.core.runtime import API_PREFIX


def includeme(config: Configurator) -> None:
    # Beside the pages that use them.
    config.add_static_files(f"{API_PREFIX}/docs/static", "static")
    config.scan()
