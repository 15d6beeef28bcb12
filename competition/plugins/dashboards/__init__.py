"""Dashboards: the start pages of candidates and staff, and an overview of accounts.

Data about the caller is always current; totals over all accounts are at most a minute old. The
plugins for exams, questions and scores add their data through the slots in `offered_slots`.
"""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    config.scan()
