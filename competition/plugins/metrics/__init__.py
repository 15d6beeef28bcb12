"""The metrics of the api, and of what waits in the database, for Prometheus."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    config.scan()
