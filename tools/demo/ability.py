"""The answers of fictional candidates, which are random but the same in every season.

A candidate's `mind` is a number. Two candidates with the same mind give the same answers.
"""

import math
import random
from collections.abc import Iterable

from tools.demo.problems import Problem

OPTIONS = "ABCD"
BLANK = ""
# The standard deviation of the candidates' abilities, on the scale of HARDNESS.
SPREAD = 1.1
HARDNESS = {"easy": -0.8, "moderate": 0.5, "hard": 1.2}
# The share of the problems that a candidate leaves blank, among those that the candidate can't
# solve.
LEFT_BLANK = 0.25


def answer_sheet(mind: int, problems: Iterable[Problem]) -> list[str]:
    """The candidate's option, or blank, for each problem. It does not depend on their order."""
    ability = random.Random(f"ability of {mind}").gauss(0, SPREAD)
    return [_answer(mind, ability, problem) for problem in problems]


def chance(ability: float, difficulty: str) -> float:
    """The chance that a candidate knows the answer: a logistic curve, which is one half where the
    ability equals the hardness.
    """
    return 1 / (1 + math.exp(HARDNESS[difficulty] - ability))


def _answer(mind: int, ability: float, problem: Problem) -> str:
    rng = random.Random(f"{mind} at {problem.slug}")
    if rng.random() < chance(ability, problem.difficulty):
        return problem.correct
    if rng.random() < LEFT_BLANK:
        return BLANK
    return rng.choice([option for option in OPTIONS if option != problem.correct])
