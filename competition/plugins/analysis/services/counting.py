"""Counts over the submissions of an exam, which everything else is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from sqlalchemy import func, literal, select
from sqlalchemy.dialects.postgresql import aggregate_order_by

from competition.core.work import Work
from competition.plugins.scores.services import keys
from competition.plugins.sittings.models import Submission

# The best of all candidates, by whom a key is judged (Kelley, 1939: two groups of 27 percent differ
# most reliably). Of equal scores the earlier submission is better, as on a leaderboard.
UPPER_GROUP = Decimal("0.27")


@dataclass(frozen=True)
class Tally:
    """Who gave an answer to a question: how many, how many right answers they have together, and
    how many of them are in the upper group."""

    chosen: int = 0
    right: int = 0
    upper: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.chosen + other.chosen, self.right + other.right, self.upper + other.upper)


@dataclass(frozen=True)
class Marked:
    """A question: the characters of a submission that count as right, none when the question does
    not count, and the tallies of those that were given."""

    accepted: str
    tallies: dict[str, Tally]

    def tally(self, answer: str) -> Tally:
        return self.tallies.get(answer, Tally())

    @property
    def right(self) -> Tally:
        return sum((self.tally(answer) for answer in self.accepted), Tally())


@dataclass(frozen=True)
class Counts:
    """`scores` says how many candidates have so many right answers; `questions` are in the order of
    the paper."""

    scores: dict[int, int]
    questions: Sequence[Marked]


def count(work: Work, exam_id: int, key: Sequence[str]) -> Counts:
    """Count by this key. One statement, so that all counts are of the same submissions, while more
    come in: those with equally many right answers come in one text, sheet after sheet, of which the
    answers to a question are every so many-th character."""
    counts = Counts({}, [Marked(accepted, {}) for accepted in key])
    right = keys.right_answers(key).label("right")
    sheets = func.string_agg(
        Submission.answers,
        aggregate_order_by(literal(""), Submission.submitted_at, Submission.candidate_id),
    )
    best_first = work.db.execute(
        select(right, func.count(), sheets)
        .where(Submission.exam_id == exam_id)
        .group_by(right)
        .order_by(right.desc())
    ).all()
    places = ceil(UPPER_GROUP * sum(candidates for _, candidates, _ in best_first))
    for points, candidates, answers in best_first:
        counts.scores[points] = candidates
        for at, question in enumerate(counts.questions):
            given = answers[at :: len(key)]
            for answer in keys.BITS:
                chosen = given.count(answer)
                tally = Tally(chosen, chosen * points, given.count(answer, 0, places))
                question.tallies[answer] = question.tally(answer) + tally
        places = max(0, places - candidates)
    return counts
