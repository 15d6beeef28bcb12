"""Exam records: the exams that a candidate has taken, missed, or can still take.

They appear on the candidate's dashboard and in the candidate's details for staff. This plugin
combines the scores from the plugin `scores` with submissions and exam dates. It has no endpoints of
its own: it fills slots in other plugins' replies.
"""

from pyramid.config import Configurator

REQUIRES = ("scores",)


def includeme(config: Configurator) -> None:
    config.add_examples(enrollment="not_done")
    config.scan()
