"""Candidates and staff, as the service's users see each other."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    config.scan()
