"""The export of an advancement plan."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from sqlalchemy import Row, and_, func, or_, select

from competition.core.exports import Table
from competition.core.lists import Query
from competition.core.users import affiliations
from competition.core.users.columns import BY_NAME, CANDIDATE
from competition.core.users.models import USERS
from competition.core.work import Work
from competition.plugins.advancement.models import Advanced, Plan, Reason
from competition.plugins.advancement.services import plans, ranking

HEADERS = ["rank", *(each.name for each in CANDIDATE), "score", "advances", "reason"]


def advancement(work: Work, query: Query, plan_id: int) -> Table:
    """Export the candidates of an advancement plan, by rank: whether they advance, and why.

    If the plan is applied, the file has the rank and the total score that each advanced candidate
    had when it was applied. Otherwise the file says which candidates would advance if the plan were
    applied now.
    """
    plan = plans.get(work, plan_id)
    ranked, is_moved = ranking.all_ranked(plan), Advanced.plan_id.is_not(None)
    rank = func.coalesce(Advanced.rank, ranked.c.rank)
    total = func.coalesce(Advanced.total, ranked.c.total)
    then = affiliations.of_season(plan.season_id)
    rows = (
        select(rank.label("rank"), *then.candidate, total.label("score"), Advanced.reason)
        .select_from(USERS)
        .outerjoin(ranked, ranked.c.candidate_id == USERS.c.id)
        .outerjoin(Advanced, and_(Advanced.plan_id == plan.id, Advanced.candidate_id == USERS.c.id))
        .where(or_(is_moved, ranked.c.candidate_id.is_not(None)))
    )
    return Table(
        then.join(rows),
        order=(is_moved.desc(), rank, *BY_NAME),
        subject=plans.named(plan),
        header=HEADERS,
        cells=_moved if plan.status == "applied" else _would_move(work, plan),
    )


def _moved(row: Row[Any]) -> Iterable[Any]:
    return (*row[:-1], row.reason is not None, row.reason)


def _would_move(work: Work, plan: Plan) -> Any:
    """The function that turns a row into the cells of a line if the plan is not applied: it
    computes whether the candidate would advance, and why."""
    cut, _ = ranking.advancing(work, plan)

    def cells(row: Row[Any]) -> Iterable[Any]:
        total: Decimal = row.score
        reason: Reason | None = None
        if ranking.advances(cut, total):
            reason = ranking.reason_for(plan, cut, total)
        return (*row[:-1], reason is not None, reason)

    return cells
