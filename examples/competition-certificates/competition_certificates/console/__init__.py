"""A page of the console with the certificates of each candidate, for staff."""

from pyramid.config import Configurator

# This is a separate plugin, because certificates also work without the console.
REQUIRES = ("certificates", "console")


def includeme(config: Configurator) -> None:
    config.add_page_module("console", "pages.js", routes="routes.json")
