"""A candidate's records: the exams behind and before them, on their dashboard and for staff.

What an exam was worth is the plugin `scores`; this one lays it beside what was handed in, what is
open and what was missed. It has no endpoint: it fills slots.
"""

from pyramid.config import Configurator

REQUIRES = ("scores",)


def includeme(config: Configurator) -> None:
    config.add_examples(enrollment="not_done")
    config.scan()
