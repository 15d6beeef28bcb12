"""Compute the statistics of classical test theory from counts.

Sources: G. F. Kuder and M. W. Richardson, The theory of the estimation of test reliability (1937),
formula 20; L. Crocker and J. Algina, Introduction to Classical and Modern Test Theory (1986),
chapters 6, 7 and 14. A score is the number of right answers to the questions that count. All
formulas use sums of integers, so that nothing is rounded before the last step. A statistic that is
undefined, such as a correlation with a constant, is None.
"""

import math
from dataclasses import dataclass

from competition.plugins.analysis.models import Alarm, Item, Numbers, Option
from competition.plugins.analysis.services.counting import Counts, Marked, Tally
from competition.plugins.questions.models import OPTIONS
from competition.plugins.sittings.models import UNANSWERED

BINS = 10
# With fewer submissions, chance alone would raise alarms.
FEWEST_FOR_ALARMS = 20
TOO_EASY, TOO_HARD = 0.95, 0.1
# A distractor chosen by a smaller share of the candidates counts as unused.
UNUSED = 0.02


@dataclass(frozen=True)
class Scores:
    """The number of candidates, the highest possible score, the sum of the scores, and the sum of
    their squares."""

    candidates: int
    highest: int
    sum: int
    squares: int

    @classmethod
    def of(cls, counts: Counts) -> "Scores":
        each = counts.scores.items()
        return cls(
            candidates=sum(counts.scores.values()),
            highest=sum(question.accepted != "" for question in counts.questions),
            sum=sum(score * candidates for score, candidates in each),
            squares=sum(score**2 * candidates for score, candidates in each),
        )

    @property
    def spread(self) -> int:
        """The variance of the scores times the square of the number of candidates."""
        return self.candidates * self.squares - self.sum**2


def numbers(counts: Counts) -> Numbers:
    """The statistics of the whole exam. All are in percent, except the reliability KR-20.

    The standard deviation is that of the population. The standard error of measurement is
    SD * sqrt(1 - KR-20).
    """
    scores = Scores.of(counts)
    percent = 100 / scores.highest
    deviation = percent * math.sqrt(scores.spread) / scores.candidates
    reliability = _kr20(counts, scores)
    # Rounding could make KR-20 exceed 1 slightly, and the root of a negative number fails.
    error = None if reliability is None else deviation * math.sqrt(max(0.0, 1 - reliability))
    return Numbers(
        candidates=scores.candidates,
        mean=100 * scores.sum / (scores.highest * scores.candidates),
        median=100 * _median(counts.scores) / scores.highest,
        standard_deviation=deviation,
        reliability=reliability,
        standard_error=error,
        histogram=_histogram(counts.scores, scores.highest),
    )


def items(counts: Counts) -> list[Item]:
    """The statistics of each question, in the order of the paper.

    The facility is the share of right answers. The discrimination is the corrected point-biserial
    correlation: Pearson's correlation of answering the question right, or of choosing an option,
    with the score in all other questions.
    """
    scores = Scores.of(counts)
    return [_item(question, scores) for question in counts.questions]


def _item(question: Marked, scores: Scores) -> Item:
    right = question.right
    options = {letter: _option(question, letter, scores) for letter in OPTIONS}
    facility = right.chosen / scores.candidates if question.accepted else None
    discrimination = _correlation(right, right.chosen, right, scores)
    return Item(
        accepted="".join(letter for letter in OPTIONS if letter in question.accepted),
        facility=facility,
        discrimination=discrimination,
        omitted=question.tally(UNANSWERED).chosen,
        options=options,
        alarms=_alarms(question, facility, discrimination, options, scores),
    )


def _option(question: Marked, letter: str, scores: Scores) -> Option:
    tally = question.tally(letter)
    right = tally.chosen if letter in question.accepted else 0
    return Option(
        chosen=tally.chosen,
        share=tally.chosen / scores.candidates,
        discrimination=_correlation(tally, right, question.right, scores),
    )


def _correlation(tally: Tally, points: int, right: Tally, scores: Scores) -> float | None:
    """The correlation of being in the tally with the score in all other questions.

    `points` is how many candidates in the tally answered this question right. `right` is the tally
    of all candidates who answered it right. Returns None if the correlation is undefined.
    """
    candidates = scores.candidates
    rest, squares = scores.sum - right.chosen, scores.squares - 2 * right.right + right.chosen
    spread = tally.chosen * (candidates - tally.chosen) * (candidates * squares - rest**2)
    if not spread:
        return None
    return (candidates * (tally.right - points) - tally.chosen * rest) / math.sqrt(spread)


def _alarms(
    question: Marked,
    facility: float | None,
    discrimination: float | None,
    options: dict[str, Option],
    scores: Scores,
) -> list[Alarm]:
    """The reasons why a question looks wrong.

    There are none if fewer than `FEWEST_FOR_ALARMS` candidates have submitted. There are also none
    for a question that no longer counts or for which every candidate gets the credit, because staff
    have already corrected it.
    """
    settled = facility is None or UNANSWERED in question.accepted
    if settled or facility is None or scores.candidates < FEWEST_FOR_ALARMS:
        return []
    distractors = [letter for letter in OPTIONS if letter not in question.accepted]
    # The discrimination is undefined if no candidate answered right, for example. Then 0 is used,
    # so that a distractor with a positive correlation can still raise `key_suspected`.
    of_key = discrimination or 0.0
    raised: dict[Alarm, bool] = {
        "key_suspected": any(
            (options[letter].discrimination or 0.0) > of_key
            and question.tally(letter).upper > question.right.upper
            for letter in distractors
        ),
        "negative_discrimination": of_key < 0,
        "too_easy": facility > TOO_EASY,
        "too_hard": facility < TOO_HARD,
        "distractor_unused": any(options[letter].share < UNUSED for letter in distractors),
    }
    return [alarm for alarm, is_raised in raised.items() if is_raised]


def _kr20(counts: Counts, scores: Scores) -> float | None:
    """The reliability KR-20: k/(k-1) * (1 - sum(p * q) / variance), or None if it is undefined.

    k is the number of questions that count. For each of them, p is the share of candidates who
    answered it right, and q = 1 - p.
    """
    if scores.highest < 2 or not scores.spread:
        return None
    right = [question.right.chosen for question in counts.questions]
    spread_of_questions = sum(each * (scores.candidates - each) for each in right)
    return scores.highest / (scores.highest - 1) * (1 - spread_of_questions / scores.spread)


def _median(scores: dict[int, int]) -> float:
    """The median score. For an even number of candidates, it is the mean of the middle two."""
    in_order = sorted(scores.items())
    candidates = sum(scores.values())
    return (_at(in_order, (candidates - 1) // 2) + _at(in_order, candidates // 2)) / 2


def _at(in_order: list[tuple[int, int]], place: int) -> int:
    """The score of the candidate at index `place`, from 0, if candidates are listed by score.

    `in_order` has pairs of a score and the number of candidates who have it, the lowest first.
    Raises IndexError if there are not enough candidates.
    """
    before = 0
    for score, candidates in in_order:
        before += candidates
        if place < before:
            return score
    raise IndexError(place)


def _histogram(scores: dict[int, int], highest: int) -> list[int]:
    """The number of candidates in each of `BINS` equal ranges of scores, the lowest range first.
    The last range includes the highest possible score."""
    bins = [0] * BINS
    for score, candidates in scores.items():
        bins[min(BINS * score // highest, BINS - 1)] += candidates
    return bins
