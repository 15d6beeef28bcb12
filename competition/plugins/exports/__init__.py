"""Exports: download tables as files, such as candidates, results and answers.

Other plugins declare the tables (`competition.core.exports`). This plugin adds an endpoint to the
API for each table, and writes the files.
"""

from typing import Any

from pyramid.config import Configurator
from pyramid.interfaces import PHASE1_CONFIG


def includeme(config: Configurator) -> None:
    if config.registry.has_endpoints:
        config.scan()
        # The endpoints are added when the configuration is committed: after all plugins have
        # declared their tables, and before routes are created.
        config.action(None, _add_operations, (config,), order=PHASE1_CONFIG)


def _add_operations(config: Any) -> None:
    # Imported late, because processes that answer no requests don't need it.
    from competition.plugins.exports import views

    views.add_operations(config)
