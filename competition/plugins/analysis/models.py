"""What an analysis tells; nothing of it is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from competition.plugins.exams.models import Paper
from competition.plugins.questions.models import Difficulty

# What makes a question look wrong (see `services.formulas`).
Alarm = Literal[
    "key_suspected", "negative_discrimination", "too_easy", "too_hard", "distractor_unused"
]


@dataclass(frozen=True)
class Option:
    """How many chose it, of all candidates, and how that goes with the rest of their score."""

    chosen: int
    share: float
    discrimination: float | None


@dataclass(frozen=True)
class Item:
    """A question as the submissions show it. `accepted` are the options that count as right: none
    when the question leaves the total, and then it has no facility either."""

    accepted: str
    facility: float | None
    discrimination: float | None
    omitted: int
    options: Mapping[str, Option]
    alarms: Sequence[Alarm]


@dataclass(frozen=True)
class Numbers:
    """Numbers of an exam's scores, in percent. `histogram` has the candidates of each bin."""

    candidates: int
    mean: float
    median: float
    standard_deviation: float
    reliability: float | None
    standard_error: float | None
    histogram: Sequence[int]


@dataclass(frozen=True)
class Analysis:
    """`items` are in the order of the paper; `difficulties` are the bank's, by the question."""

    exam_id: int
    paper: Paper
    difficulties: Mapping[int, Difficulty]
    numbers: Numbers
    items: Sequence[Item]
