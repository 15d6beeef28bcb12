"""The numbers of classical test theory, from counts.

Sources: G. F. Kuder and M. W. Richardson, The theory of the estimation of test reliability (1937),
formula 20; L. Crocker and J. Algina, Introduction to Classical and Modern Test Theory (1986),
chapters 6, 7 and 14. A score is the number of right answers to the questions that count. All is
made of sums of whole numbers, in which nothing is lost before the last step. A number that is not
defined, such as a correlation with what is the same for all, is None.
"""

import math
from dataclasses import dataclass

from competition.plugins.analysis.models import Alarm, Item, Numbers, Option
from competition.plugins.analysis.services.counting import Counts, Marked, Tally
from competition.plugins.questions.models import OPTIONS
from competition.plugins.sittings.models import UNANSWERED

BINS = 10
# Of fewer submissions chance alone raises alarms.
FEWEST_FOR_ALARMS = 20
TOO_EASY, TOO_HARD = 0.95, 0.1
# An option that a smaller share chose does nothing.
UNUSED = 0.02


@dataclass(frozen=True)
class Scores:
    """All scores together: of how many candidates they are, the highest there can be, their sum and
    that of their squares."""

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
        """The variance, times the square of the number of candidates."""
        return self.candidates * self.squares - self.sum**2


def numbers(counts: Counts) -> Numbers:
    """The exam as a whole, in percent. The standard deviation is that of the population, the
    standard error of measurement SD * sqrt(1 - KR-20)."""
    scores = Scores.of(counts)
    percent = 100 / scores.highest
    deviation = percent * math.sqrt(scores.spread) / scores.candidates
    reliability = _kr20(counts, scores)
    # A hair above 1 it would have no root.
    error = None if reliability is None else deviation * math.sqrt(max(0.0, 1 - reliability))
    return Numbers(
        candidates=scores.candidates,
        mean=percent * scores.sum / scores.candidates,
        median=percent * _median(counts.scores),
        standard_deviation=deviation,
        reliability=reliability,
        standard_error=error,
        histogram=_histogram(counts.scores, scores.highest),
    )


def items(counts: Counts) -> list[Item]:
    """Question by question. The facility is the share of right answers. A discrimination is the
    corrected point-biserial correlation: Pearson's, of having answered right, or having chosen an
    option, with the score in all other questions."""
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
    """Of being in the tally with the rest of the score. `points` are those that the tally has from
    this question, `right` is the tally of all who have one."""
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
    """What looks wrong. A question that was corrected so that it does not count, or counts for
    everybody, is settled."""
    settled = facility is None or UNANSWERED in question.accepted
    if settled or facility is None or scores.candidates < FEWEST_FOR_ALARMS:
        return []
    distractors = [letter for letter in OPTIONS if letter not in question.accepted]
    # Of a key that nobody chose nothing is known: it is not taken for a good one.
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
    """The reliability: k/(k-1) * (1 - sum(p * q) / variance), over the k questions that count, of
    which a share p answered each one right and q did not."""
    if scores.highest < 2 or not scores.spread:
        return None
    right = [question.right.chosen for question in counts.questions]
    spread_of_questions = sum(each * (scores.candidates - each) for each in right)
    return scores.highest / (scores.highest - 1) * (1 - spread_of_questions / scores.spread)


def _median(scores: dict[int, int]) -> float:
    """The score in the middle; of two there, what lies between them."""
    in_order = sorted(scores.items())
    candidates = sum(scores.values())
    return (_at(in_order, (candidates - 1) // 2) + _at(in_order, candidates // 2)) / 2


def _at(in_order: list[tuple[int, int]], place: int) -> int:
    """The score of the candidate who has so many others before them."""
    before = 0
    for score, candidates in in_order:
        before += candidates
        if place < before:
            return score
    raise IndexError(place)


def _histogram(scores: dict[int, int], highest: int) -> list[int]:
    """The last bin has those without a mistake, too."""
    bins = [0] * BINS
    for score, candidates in scores.items():
        bins[min(BINS * score // highest, BINS - 1)] += candidates
    return bins
