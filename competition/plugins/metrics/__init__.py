"""Metrics for Prometheus: measurements of the API processes, and gauges that are read from the
database."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    config.scan()
