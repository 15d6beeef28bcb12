"""Who advances by a plan: ranked by the sum of the scores in its exams, and cut."""

from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from math import ceil
from typing import Any
from uuid import UUID

from sqlalchemy import Row, Subquery, Text, cast, func, select
from sqlalchemy.orm import selectinload

from competition.core.database import over_sets
from competition.core.errors import Invalid
from competition.core.lists import Page, Query, paginate
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.advancement.models import Cut, Plan, PlannedExam, Rule, Ties
from competition.plugins.advancement.presenters import RankedRow
from competition.plugins.leaderboard.services import reading
from competition.plugins.scores.models import Score

# A sum of scores, and how many have it.
Step = tuple[Decimal, int]


def cut(ladder: Sequence[Step], rule: Rule, ties: Ties) -> Cut:
    """Cut a ranking, given by its sums from the highest to the lowest, where the rule says."""
    ranked = sum(candidates for _, candidates in ladder)
    if rule.kind == "minimum":
        above = [step for step in ladder if step[0] >= rule.value]
        return _cut(above, ranked, tied=0)
    places = rule.value if rule.kind == "top" else ceil(ranked * rule.value / 100)
    taken = 0
    for index, (_, candidates) in enumerate(ladder):
        if taken + candidates > places:
            tied = candidates if taken < places else 0
            return _cut(ladder[: index + (tied > 0 and ties == "in")], ranked, tied)
        taken += candidates
    return _cut(ladder, ranked, tied=0)


def _cut(advancing: Sequence[Step], ranked: int, tied: int) -> Cut:
    lowest = advancing[-1][0] if advancing else None
    return Cut(lowest, ranked, sum(candidates for _, candidates in advancing), tied)


def check_published(work: Work, plan: Plan) -> None:
    """Raises Invalid while an exam of the plan has no board."""
    if missing := _unpublished(work, plan):
        numbers = ", ".join(map(str, missing))
        raise Invalid(f"These exams have to be published first: {numbers}.")


def _unpublished(work: Work, plan: Plan) -> list[int]:
    return sorted({*plan.exam_ids} - reading.published(work, plan.exam_ids))


def preview(work: Work, plan: Plan, query: Query) -> tuple[Cut, Page[RankedRow]]:
    """Who would advance now, and a page of the ranking. Raises Invalid, NotFound."""
    check_published(work, plan)
    sums = _sums(plan)
    steps = select(sums.c.total, func.count()).group_by(sums.c.total).order_by(sums.c.total.desc())
    ranking = select(
        Candidate, sums.c.total, func.rank().over(order_by=sums.c.total.desc()).label("rank")
    ).join(sums, sums.c.candidate_id == Candidate.id)
    full_name = Candidate.first_name + " " + Candidate.last_name
    with over_sets(work.db):
        ladder = [(total, candidates) for total, candidates in work.db.execute(steps)]
        page = paginate(
            work,
            ranking,
            query,
            key=Candidate.id,
            default=[sums.c.total.desc(), full_name, Candidate.id],
        )
    found = cut(ladder, plan.rule, plan.ties)
    return found, page.map(partial(_ranked, found))


def _ranked(cut: Cut, row: Row[Any]) -> RankedRow:
    advances = cut.lowest is not None and row.total >= cut.lowest
    return RankedRow(row.rank, row.Candidate, row.total, advances)


def advancing(work: Work, plan: Plan) -> tuple[Cut, list[UUID]]:
    """Who advances now. By one statement, so that no score changes between the cut and the list;
    the ids come as texts, of which those of all others are not looked at. Raises Invalid."""
    check_published(work, plan)
    sums = _sums(plan)
    listed = cast(func.array_agg(sums.c.candidate_id), Text)
    with over_sets(work.db):
        rows = work.db.execute(
            select(sums.c.total, func.count(), listed)
            .group_by(sums.c.total)
            .order_by(sums.c.total.desc())
        ).all()
    found = cut([(total, candidates) for total, candidates, _ in rows], plan.rule, plan.ties)
    above = [ids for total, _, ids in rows if found.lowest is not None and total >= found.lowest]
    return found, [UUID(each) for ids in above for each in ids.strip("{}").split(",")]


def chosen_by_plans(work: Work, exam_id: int) -> set[tuple[int, UUID]]:
    """Who advances by which plan that the exam counts for, as the scores are now. A plan with an
    exam that has no board chooses nobody yet."""
    plans = work.db.scalars(
        select(Plan)
        .join(PlannedExam)
        .where(PlannedExam.exam_id == exam_id)
        .order_by(Plan.id)
        .options(selectinload(Plan.exams))
    ).all()
    return {
        (plan.id, candidate_id)
        for plan in plans
        if not _unpublished(work, plan)
        for candidate_id in advancing(work, plan)[1]
    }


def _sums(plan: Plan) -> Subquery:
    """The sum of each candidate with a score in an exam of the plan. Who is deactivated or not
    verified takes nobody's place: they can't advance. A query on it runs inside
    `over_sets`."""
    sums = (
        select(Score.candidate_id, func.sum(Score.value).label("total"))
        .where(Score.exam_id.in_(plan.exam_ids))
        .group_by(Score.candidate_id)
        .subquery()
    )
    return (
        select(sums)
        .join(Candidate, Candidate.id == sums.c.candidate_id)
        .where(
            Candidate.is_active,
            Candidate.is_email_verified,
            Candidate.verification == "approved",
        )
        .subquery()
    )
