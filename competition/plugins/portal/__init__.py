"""The web pages for candidates, at `/`."""

from pyramid.config import Configurator

REQUIRES = ("pages",)


def includeme(config: Configurator) -> None:
    config.add_front_end("portal", "/", worker="sw.js", manifest="app.webmanifest")
