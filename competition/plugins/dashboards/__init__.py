"""What people see first: a candidate's dashboard, the staff's, and how many accounts there are.

What concerns the caller alone is always current. Numbers over everybody are at most a minute old.
"""

from pyramid.config import Configurator

REQUIRES = ("questions", "scores")


def includeme(config: Configurator) -> None:
    config.scan()
