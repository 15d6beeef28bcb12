"""Regrades: correct the answer key of an exam that is over, and recompute its scores.

A regrade changes which answers count as right in some questions. It starts as a preview that lists
the candidates whose score or rank would change. Applying it changes scores, ranks and the published
leaderboard in one transaction. The regrade that was applied last can be reverted. The frozen paper
and scores given by staff never change. The plugin `scores` stores the corrections and computes the
current answer key (`scores.services.keys`).
"""

from pyramid.config import Configurator

REQUIRES = ("leaderboard",)


def includeme(config: Configurator) -> None:
    config.add_examples(changes=[{"question": 12, "accept": ["B", "D"]}])
    config.scan()
