"""Regrades: a question of a sealed exam was wrong, and its scores are made right.

A regrade changes what counts as right in some questions. It is a preview first, which says whose
score and rank would be others; applied, it changes scores, ranks and the published board in one
transaction; and it can be reverted. The frozen paper and scores given by hand stay as they are.
What counts as right by now is `scores`' (`scores.services.keys`).
"""

from pyramid.config import Configurator

REQUIRES = ("leaderboard",)


def includeme(config: Configurator) -> None:
    config.add_examples(changes=[{"question": 12, "accept": ["B", "D"]}])
    config.scan()
