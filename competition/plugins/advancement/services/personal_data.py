"""Export and erase the data about candidates who advanced."""

from typing import Any

from sqlalchemy import delete, select

from competition.core.users.models import User
from competition.core.users.personal_data import personal_data
from competition.core.work import Work
from competition.plugins.advancement.models import Advanced, Plan


def export(work: Work, user: User) -> list[dict[str, Any]]:
    """The plans by which the user advanced, the earliest first."""
    rows = work.db.execute(
        select(Plan.from_stage, Plan.to_stage, Plan.applied_at, Advanced.rank, Advanced.total)
        .join(Advanced, Advanced.plan_id == Plan.id)
        .where(Advanced.candidate_id == user.id)
        .order_by(Plan.applied_at, Plan.id)
    )
    return [dict(row._mapping) for row in rows]


@personal_data("advancement", export=export)
def erase(work: Work, user: User) -> None:
    """Delete the records that the candidate advanced by plans."""
    work.db.execute(delete(Advanced).where(Advanced.candidate_id == user.id))
