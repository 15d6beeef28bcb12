"""Exams: planning, taking, submitting, scoring."""

from pyramid.config import Configurator

REQUIRES = ("questions",)


def includeme(config: Configurator) -> None:
    config.scan()
