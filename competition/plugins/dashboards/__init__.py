"""Dashboards: what candidates and staff see first, and the overview of accounts.

What concerns the caller alone is always current; totals over all accounts are at most a minute old.
Exams, questions and scores are shown by the plugins that have them: they fill the slots of the
presenters.
"""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    config.scan()
