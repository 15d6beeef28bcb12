"""Accounts: registration, one-time passwords, login and logout."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    config.scan()
