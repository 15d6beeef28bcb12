"""A plugin with endpoints that misbehave."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    config.add_content_type("svg", "image/svg+xml")
    config.scan()
