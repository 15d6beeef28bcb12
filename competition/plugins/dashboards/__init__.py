"""What people see first: a candidate's dashboard, the staff's, and how many accounts there are.

What concerns the caller alone is always current; numbers of the whole season are at most a minute
old. Exams, questions and scores are shown by the plugins that have them: they fill the slots of the
presenters.
"""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    config.scan()
