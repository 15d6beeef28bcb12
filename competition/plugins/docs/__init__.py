"""API documentation: the OpenAPI and AsyncAPI documents, and web pages that show them."""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.runtime import API_PREFIX
from competition.core.settings import setting

# The plugin with the pages for candidates, which are at `/`.
PORTAL = "portal"


def _address(text: str) -> str:
    if text and not text.startswith(("https://", "http://")):
        raise ValueError(f"{text!r} is not a URL that begins with https:// or http://")
    return text.rstrip("/")


@dataclass(frozen=True, kw_only=True)
class DocsSettings:
    """`site_url` is the URL of the guides, as `make docs` builds them. If it is empty, the page for
    developers names the files of the guides instead."""

    prefix: ClassVar[str] = "competition.docs"
    site_url: str = setting("", parse=_address)


SETTINGS = DocsSettings


def includeme(config: Configurator) -> None:
    if not config.registry.has_endpoints:
        return
    # Imported late, because processes that answer no requests don't need it.
    from competition.plugins.docs import pages

    # The files are in a folder next to the pages, because the pages' links are relative.
    config.add_static_files(f"{API_PREFIX}/docs/static", "static")
    has_portal = PORTAL in config.registry.runtime.packages.values()
    config.add_page("/developers/" if has_portal else "/", pages.home)
    config.scan()
