"""Proof of identity: documents go up, a manager decides."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    config.scan()
