"""How well a made-up candidate does: drawn once, the same in every season.

A `mind` is a number; two candidates with the same one hand in the same answers.
"""

import math
import random
from collections.abc import Iterable

from tools.demo.problems import Problem

OPTIONS = "ABCD"
BLANK = ""
# Of the candidates' abilities, on the scale of HARDNESS.
SPREAD = 1.1
HARDNESS = {"easy": -0.8, "moderate": 0.5, "hard": 1.2}
# Of the problems that somebody can't solve, so many are left unanswered.
LEFT_BLANK = 0.25


def answer_sheet(mind: int, problems: Iterable[Problem]) -> list[str]:
    """An option, or blank, for each problem, whatever their order."""
    ability = random.Random(f"ability of {mind}").gauss(0, SPREAD)
    return [_answer(mind, ability, problem) for problem in problems]


def chance(ability: float, difficulty: str) -> float:
    """The chance of knowing the answer: a logistic curve, one half where ability equals
    hardness."""
    return 1 / (1 + math.exp(HARDNESS[difficulty] - ability))


def _answer(mind: int, ability: float, problem: Problem) -> str:
    rng = random.Random(f"{mind} at {problem.slug}")
    if rng.random() < chance(ability, problem.difficulty):
        return problem.correct
    if rng.random() < LEFT_BLANK:
        return BLANK
    return rng.choice([option for option in OPTIONS if option != problem.correct])
