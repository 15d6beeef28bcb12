"""API documentation: the OpenAPI and AsyncAPI documents, and web pages that show them."""

from pyramid.config import Configurator

from competition.core.runtime import API_PREFIX


def includeme(config: Configurator) -> None:
    # In a folder next to the pages, because their links are relative.
    config.add_static_files(f"{API_PREFIX}/docs/static", "static")
    config.scan()
