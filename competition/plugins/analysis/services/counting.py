"""Count the answers in the submissions of an exam. All statistics are computed from the counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from sqlalchemy import func, literal, select
from sqlalchemy.dialects.postgresql import aggregate_order_by

from competition.core.work import Work
from competition.plugins.scores.services import keys
from competition.plugins.sittings.models import Submission

# The share of candidates in the upper group, whose answers are compared with the answer key.
# Kelley (1939) found that the upper and lower 27 percent differ most reliably. Among equal scores
# the earlier submission ranks higher, as on a leaderboard.
UPPER_GROUP = Decimal("0.27")


@dataclass(frozen=True)
class Tally:
    """The candidates who gave a certain answer to a question.

    `chosen` is their number, `right` the total of their right answers in the whole exam, and
    `upper` the number of them among the best 27 percent of all candidates (`UPPER_GROUP`).
    """

    chosen: int = 0
    right: int = 0
    upper: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.chosen + other.chosen, self.right + other.right, self.upper + other.upper)


@dataclass(frozen=True)
class Marked:
    """A question with the tally of each answer that candidates gave.

    `accepted` are the characters of a submission that count as right. It is empty if the question
    does not count.
    """

    accepted: str
    tallies: dict[str, Tally]

    def tally(self, answer: str) -> Tally:
        return self.tallies.get(answer, Tally())

    @property
    def right(self) -> Tally:
        return sum((self.tally(answer) for answer in self.accepted), Tally())


@dataclass(frozen=True)
class Counts:
    """Counts of an exam's answers.

    `scores` maps a number of right answers to the number of candidates who have it. `questions` are
    in the order of the paper.
    """

    scores: dict[int, int]
    questions: Sequence[Marked]


def count(work: Work, exam_id: int, key: Sequence[str]) -> Counts:
    """Count the answers in the exam's submissions, marked by this answer key.

    A single statement reads them, so that all counts are of the same submissions even while more
    arrive. The statement returns one row per number of right answers, with the submissions joined
    into one string. The answers to question i are the characters at i, i + n, i + 2n, …, where n is
    the number of questions.
    """
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
