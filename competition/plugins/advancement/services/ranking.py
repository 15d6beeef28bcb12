"""Rank candidates by their total score in a plan's exams, and compute who advances."""

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
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.messages import Message
from competition.core.users import affiliations
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.advancement.models import (
    Advanced,
    Cut,
    Place,
    Plan,
    PlannedExam,
    Reason,
    Rule,
    Ties,
)
from competition.plugins.advancement.presenters import RankedRow
from competition.plugins.leaderboard.services import reading
from competition.plugins.people.services import roles
from competition.plugins.scores.models import Score

# A total score, and the number of candidates who have it.
Step = tuple[Decimal, int]
# The fields that the list of advanced candidates can be ordered by, beside the school.
ORDERING = {"rank": Advanced.rank, "last_name": Candidate.last_name}


def cut(ladder: Sequence[Step], rule: Rule, ties: Ties) -> Cut:
    """Apply the rule to a ranking. `ladder` has each total score, the highest first, and how many
    candidates have it."""
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
    """Raise Invalid if an exam of the plan has no published leaderboard, or was deleted."""
    if plan.has_deleted_exam:
        raise Invalid(
            Message(
                "An exam of this plan was deleted, so the plan can't be applied. Delete the plan,"
                " and create another one."
            )
        )
    if missing := _unpublished(work, plan):
        raise Invalid(
            Message("Publish the leaderboards of these exams first: ${exams}.", exams=[*missing])
        )


def _unpublished(work: Work, plan: Plan) -> list[int]:
    return sorted({*plan.exam_ids} - reading.published(work, plan.exam_ids))


def preview(work: Work, plan: Plan, query: Query) -> tuple[Cut, int, Page[RankedRow]]:
    """The result of applying the plan's rule now, how many candidates would move, and a page of the
    ranking.

    Raises Invalid if an exam of the plan has no published leaderboard, or was deleted, and NotFound
    if there is no such page.
    """
    check_published(work, plan)
    sums = _sums(plan)
    steps = (
        select(sums.c.total, func.count(), func.count().filter(sums.c.is_movable))
        .group_by(sums.c.total)
        .order_by(sums.c.total.desc())
    )
    then = affiliations.of_season(plan.season_id)
    rank = func.rank().over(order_by=sums.c.total.desc())
    ranking = select(
        Candidate, then.shown_school.label("school"), sums.c.total, rank.label("rank")
    ).join(sums, sums.c.candidate_id == Candidate.id)
    full_name = Candidate.first_name + " " + Candidate.last_name
    with over_sets(work.db):
        rows = work.db.execute(steps).all()
        page = paginate(
            work,
            then.join(ranking),
            query,
            key=Candidate.id,
            default=[sums.c.total.desc(), full_name, Candidate.id],
        )
    found = cut([(total, candidates) for total, candidates, _ in rows], plan.rule, plan.ties)
    moving = sum(candidates for total, _, candidates in rows if advances(found, total))
    return found, moving, page.map(partial(_ranked, found))


def _ranked(cut: Cut, row: Row[Any]) -> RankedRow:
    return RankedRow(row.rank, row.Candidate, row.school, row.total, advances(cut, row.total))


def advances(cut: Cut, total: Decimal) -> bool:
    """Whether a candidate with this total score advances."""
    return cut.lowest is not None and total >= cut.lowest


def advancing(work: Work, plan: Plan) -> tuple[Cut, list[Place]]:
    """The result of applying the plan's rule now, and the candidates who advance, the best first.

    A single statement reads both, so that no score can change in between. The statement returns the
    ids as strings, and only the ids of candidates who advance are parsed.

    Raises Invalid if an exam of the plan has no published leaderboard, or was deleted.
    """
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
    places: list[Place] = []
    for total, _, ids in rows:
        if not advances(found, total):
            break
        rank, reason = len(places) + 1, reason_for(plan, found, total)
        places += [Place(UUID(each), rank, total, reason) for each in ids.strip("{}").split(",")]
    return found, places


def reason_for(plan: Plan, cut: Cut, total: Decimal) -> Reason:
    """Why a candidate with this total score advances by the plan."""
    if plan.rule.kind == "minimum":
        return "minimum"
    is_tied = plan.ties == "in" and cut.tied > 0 and total == cut.lowest
    return "tie" if is_tied else "place"


def page_of_advanced(
    work: Work, plan: Plan, query: Query
) -> Page[Row[tuple[Candidate, Advanced, str]]]:
    """A page of the candidates who advanced by the plan, searched by name, email or school. With
    `undoable`, only those whom undoing would move back.

    The page is empty if the plan is not applied. Raises NotFound if there is no such page.
    """
    then = affiliations.of_season(plan.season_id)
    found = (
        select(Candidate, Advanced, then.shown_school.label("school"))
        .join(Advanced, Advanced.candidate_id == Candidate.id)
        .where(
            Advanced.plan_id == plan.id,
            *contains_every_word(query["search"], then.searched),
        )
    )
    if query["undoable"]:
        found = found.where(roles.movable(plan.to_stage))
    full_name = Candidate.first_name + " " + Candidate.last_name
    return paginate(
        work,
        then.join(found),
        query,
        key=Candidate.id,
        ordering={**ORDERING, "school": then.shown_school},
        default=[Advanced.rank, full_name, Candidate.id],
    )


def all_ranked(plan: Plan) -> Subquery:
    """Subquery of the current rank and total score of each candidate of the plan. Run queries on
    it inside `over_sets`, so that PostgreSQL uses hash joins."""
    sums = _sums(plan)
    rank = func.rank().over(order_by=sums.c.total.desc()).label("rank")
    return select(sums.c.candidate_id, sums.c.total, rank).subquery()


def chosen_by_plans(work: Work, exam_id: int) -> set[tuple[int, UUID]]:
    """The candidates who advance by the current scores, for each plan that the exam counts for.

    The result has pairs of a plan's id and a candidate's id. Plans with an exam that has no
    published leaderboard are left out.
    """
    plans = work.db.scalars(
        select(Plan)
        .join(PlannedExam)
        .where(PlannedExam.exam_id == exam_id, PlannedExam.season_id == Plan.season_id)
        .order_by(Plan.id)
        .options(selectinload(Plan.exams))
    ).all()
    return {
        (plan.id, place.candidate_id)
        for plan in plans
        if not _unpublished(work, plan)
        for place in advancing(work, plan)[1]
    }


def _sums(plan: Plan) -> Subquery:
    """Subquery of the total score of each candidate with a score in an exam of the plan.

    Its column `is_movable` is whether applying the plan would move the candidate: false for
    candidates who are not in the stage `from_stage`.

    Deactivated and unverified candidates can't advance, so they are left out and take no place.
    Run queries on the subquery inside `over_sets`, so that PostgreSQL uses hash joins.
    """
    sums = (
        select(Score.candidate_id, func.sum(Score.value).label("total"))
        .where(Score.exam_id.in_(plan.exam_ids))
        .group_by(Score.candidate_id)
        .subquery()
    )
    return (
        select(sums, roles.movable(plan.from_stage).label("is_movable"))
        .select_from(sums)
        .join(Candidate, Candidate.id == sums.c.candidate_id)
        .where(Candidate.is_active, Candidate.is_verified)
        .subquery()
    )
