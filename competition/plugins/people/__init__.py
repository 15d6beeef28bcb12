"""Candidates and staff, as the service's users see each other, and the management of accounts."""

from pyramid.config import Configurator

REQUIRES = ("accounts", "exams")


def includeme(config: Configurator) -> None:
    config.scan()
