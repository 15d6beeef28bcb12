"""What a client asks before anything else: is the service up."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    config.scan()
