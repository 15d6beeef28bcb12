"""Published ranks of each stage and round."""

from pyramid.config import Configurator

REQUIRES = ("exams",)


def includeme(config: Configurator) -> None:
    config.scan()
