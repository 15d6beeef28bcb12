"""Compute the ranks from the submitted answers, and compare them with a leaderboard.

Scores are percentages with two decimals. Candidates with equal scores share a rank (1, 1, 3). Among
them the earlier submission comes first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from itertools import pairwise

from tools.demo.errors import WrongBoard

TWO_DECIMALS = Decimal("0.01")


@dataclass(frozen=True)
class Result:
    """A candidate's expected result.

    The service received the submission between `sent` and `answered`, in seconds of this process's
    clock. So the order of two submissions is known, unless these intervals overlap.
    """

    user_id: str
    full_name: str
    score: Decimal
    sent: float
    answered: float


@dataclass(frozen=True)
class Row:
    """A row of a published leaderboard. `number` is the candidate's integer id."""

    rank: int
    user_id: str
    number: int
    full_name: str
    school: str
    score: Decimal

    def __str__(self) -> str:
        return f"rank {self.rank}, {self.full_name} ({self.user_id}), score {self.score}"


def percent(correct: int, questions: int) -> Decimal:
    return _rounded(Decimal(100 * correct) / questions)


def average(results: Iterable[Result | Row]) -> Decimal:
    scores = [result.score for result in results]
    return _rounded(sum(scores, Decimal()) / len(scores))


def _rounded(value: Decimal) -> Decimal:
    return value.quantize(TWO_DECIMALS, ROUND_HALF_UP)


def ranks(results: Iterable[Result]) -> dict[str, int]:
    """Ranks by user id: one more than the number of better scores."""
    best_first = sorted(results, key=lambda result: -result.score)
    found: dict[str, int] = {}
    rank = 0
    for position, result in enumerate(best_first, start=1):
        if position == 1 or result.score != best_first[position - 2].score:
            rank = position
        found[result.user_id] = rank
    return found


def check(rows: Sequence[Row], results: Sequence[Result]) -> None:
    """Compare the rows with the results. Raises WrongBoard with the first wrong row."""
    expected = {result.user_id: result for result in results}
    rank_of = ranks(results)
    _check_people(rows, expected)
    for row in rows:
        result = expected[row.user_id]
        if row.score != result.score:
            raise WrongBoard(f"Wrong score: {row}; the answers sent are worth {result.score}.")
        if row.rank != rank_of[row.user_id]:
            raise WrongBoard(f"Wrong rank: {row}; expected: {rank_of[row.user_id]}.")
        if row.full_name != result.full_name:
            raise WrongBoard(f"Wrong name: {row}; expected: {result.full_name}.")
    for above, below in pairwise(rows):
        _check_order(above, below, expected)


def _check_people(rows: Sequence[Row], expected: Mapping[str, Result]) -> None:
    seen: set[str] = set()
    for row in rows:
        if row.user_id not in expected:
            raise WrongBoard(f"Not a candidate of this exam: {row}.")
        if row.user_id in seen:
            raise WrongBoard(f"Listed twice: {row}.")
        seen.add(row.user_id)
    for result in expected.values():
        if result.user_id not in seen:
            raise WrongBoard(f"Missing: {result.full_name} ({result.user_id}), {result.score}.")


def _check_order(above: Row, below: Row, expected: Mapping[str, Result]) -> None:
    if above.score < below.score:
        raise WrongBoard(f"Wrong order: {above}, above {below}.")
    if above.score == below.score:
        first, second = expected[above.user_id], expected[below.user_id]
        if second.answered < first.sent:
            raise WrongBoard(f"Wrong order: {above}, above {below}, who submitted earlier.")
