"""Counts over the submissions of an exam, which everything else is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy import (
    ARRAY,
    Integer,
    String,
    bindparam,
    cast,
    func,
    literal,
    null,
    select,
    true,
    union_all,
)

from competition.core.work import Work
from competition.plugins.sittings.models import Submission

# The best of all candidates, by whom a key is judged (Kelley, 1939: two groups of 27 percent differ
# most reliably). Of equal scores the earlier submission is better, as on a leaderboard.
UPPER_GROUP = Decimal("0.27")
# In the place of a question's position, which counts from 1: a row of `Counts.scores`.
SCORES = 0


@dataclass(frozen=True)
class Tally:
    """Who gave an answer to a question: how many, how many right answers they have together, and
    how many of them are in the upper group."""

    chosen: int = 0
    right: int = 0
    upper: int = 0


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
        each = [self.tally(answer) for answer in self.accepted]
        return Tally(
            chosen=sum(tally.chosen for tally in each),
            right=sum(tally.right for tally in each),
            upper=sum(tally.upper for tally in each),
        )


@dataclass(frozen=True)
class Counts:
    """`scores` says how many candidates have so many right answers; `questions` are in the order of
    the paper."""

    scores: dict[int, int]
    questions: Sequence[Marked]


def count(work: Work, exam_id: int, key: Sequence[str]) -> Counts:
    """Count by this key. One statement, so that all counts are of the same submissions, while more
    come in."""
    marked = (
        func.unnest(
            func.string_to_array(Submission.answers, null()),
            bindparam("key", list(key), type_=ARRAY(String())),
        )
        .table_valued("answer", "accepted")
        .render_derived()
    )
    right = (
        select(func.count())
        .select_from(marked)
        .where(func.strpos(marked.c.accepted, marked.c.answer) > 0)
        .scalar_subquery()
    )
    scored = (
        select(
            Submission.answers,
            Submission.submitted_at,
            Submission.candidate_id,
            right.label("right"),
        )
        .where(Submission.exam_id == exam_id)
        .cte("scored")
        .prefix_with("materialized")
    )
    place = func.row_number().over(
        order_by=(scored.c.right.desc(), scored.c.submitted_at, scored.c.candidate_id)
    )
    upper_group = func.ceil(literal(UPPER_GROUP) * func.count().over())
    ranked = select(scored.c.answers, scored.c.right, (place <= upper_group).label("is_upper")).cte(
        "ranked"
    )
    answered = (
        func.unnest(func.string_to_array(ranked.c.answers, null()))
        .table_valued("answer", with_ordinality="position")
        .render_derived()
    )
    scores = select(
        literal(SCORES), literal(""), func.count(), ranked.c.right, literal(0)
    ).group_by(ranked.c.right)
    tallies = (
        select(
            cast(answered.c.position, Integer),
            answered.c.answer,
            func.count(),
            func.sum(ranked.c.right),
            func.count().filter(ranked.c.is_upper),
        )
        .select_from(ranked.join(answered, true()))
        .group_by(answered.c.position, answered.c.answer)
    )
    counts = Counts({}, [Marked(accepted, {}) for accepted in key])
    for position, answer, candidates, points, upper in work.db.execute(union_all(scores, tallies)):
        if position == SCORES:
            counts.scores[int(points)] = candidates
        else:
            tally = Tally(candidates, int(points), upper)
            counts.questions[position - 1].tallies[answer] = tally
    return counts
