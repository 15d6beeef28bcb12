"""API documentation: the OpenAPI and AsyncAPI documents, and web pages that show them."""

from pyramid.config import Configurator

from competition.core.runtime import API_PREFIX
from competition.plugins.docs import pages

SETTINGS = pages.DocsSettings

# The plugin with the pages for candidates, which are at `/`.
PORTAL = "portal"


def includeme(config: Configurator) -> None:
    # The files are in a folder next to the pages, because the pages' links are relative.
    config.add_static_files(f"{API_PREFIX}/docs/static", "static")
    has_portal = PORTAL in config.registry.runtime.packages.values()
    config.add_page("/developers/" if has_portal else "/", pages.home)
    config.scan()
