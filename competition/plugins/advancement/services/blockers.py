"""Plans that keep the next season from being opened, and plans that could still be undone."""

from datetime import timedelta

from sqlalchemy import select

from competition.core.messages import Message
from competition.core.seasons.blockers import Blocker, season_blocker, season_warning
from competition.core.seasons.models import CURRENT_ID
from competition.core.work import Work
from competition.plugins.advancement import AdvancementSettings
from competition.plugins.advancement.models import Plan
from competition.plugins.advancement.services.plans import WITH_ALL


def _plans(work: Work) -> list[Plan]:
    """The plans of the current season."""
    is_current = Plan.season_id == CURRENT_ID
    statement = select(Plan).options(*WITH_ALL).where(is_current).order_by(Plan.id)
    return list(work.db.scalars(statement))


@season_blocker("advancement")
def frozen_plans(work: Work) -> list[Blocker]:
    """The plans that have to be applied before the next season is opened: those with an exam that a
    candidate has started. Plans with a deleted exam are left out, because they can't be applied."""
    return [
        Blocker(plan.id, f"{plan.from_stage} → {plan.to_stage}")
        for plan in _plans(work)
        if plan.status == "frozen" and not plan.has_deleted_exam
    ]


@season_warning("advancement")
def plan_could_be_undone(work: Work) -> str | None:
    since = work.now - timedelta(hours=work.settings[AdvancementSettings].undo_hours)
    fresh = (plan.applied_at for plan in _plans(work) if plan.status == "applied")
    if not any(at is not None and at > since for at in fresh):
        return None
    return Message(
        "An advancement can still be undone now. Once the next season is open, only its opening can"
        " be undone."
    )
