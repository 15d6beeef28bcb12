"""The values of an analysis, which is computed for each request and not stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from competition.plugins.exams.models import FrozenPaper
from competition.plugins.questions.models import Difficulty

# Reasons why a question looks wrong; `services.formulas` defines them.
Alarm = Literal[
    "key_suspected", "negative_discrimination", "too_easy", "too_hard", "distractor_unused"
]


@dataclass(frozen=True)
class Option:
    """How many candidates chose an option, their share of all candidates, and the correlation of
    choosing it with the score in all other questions. The correlation is None if it is undefined.
    """

    chosen: int
    share: float
    discrimination: float | None


@dataclass(frozen=True)
class Item:
    """The statistics of a question.

    `accepted` are the options that count as right. If the question no longer counts, `accepted` is
    empty and `facility` is None.
    """

    accepted: str
    facility: float | None
    discrimination: float | None
    omitted: int
    options: Mapping[str, Option]
    alarms: Sequence[Alarm]


@dataclass(frozen=True)
class Numbers:
    """The statistics of an exam's scores. The mean, the median, the standard deviation and the
    standard error are in percent. `reliability` is the coefficient KR-20. `histogram` has the
    number of candidates in each tenth of the range of scores, the lowest tenth first."""

    candidates: int
    mean: float
    median: float
    standard_deviation: float
    reliability: float | None
    standard_error: float | None
    histogram: Sequence[int]


@dataclass(frozen=True)
class Analysis:
    """The analysis of an exam.

    `items` are in the order of the paper. `difficulties` maps the id of each question to its
    difficulty in the question bank.
    """

    exam_id: int
    paper: FrozenPaper
    difficulties: Mapping[int, Difficulty]
    numbers: Numbers
    items: Sequence[Item]
