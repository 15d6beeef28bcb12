"""The question bank."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    config.scan()
