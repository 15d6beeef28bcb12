"""Promoting all who advance, and taking it back."""

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from sqlalchemy import ARRAY, Uuid, delete, func, insert, literal, select

from competition.core import audit
from competition.core.database import over_sets
from competition.core.errors import Invalid
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.advancement import AdvancementSettings
from competition.plugins.advancement.models import Advanced, Plan
from competition.plugins.advancement.services import plans, ranking
from competition.plugins.exams.models import Exam
from competition.plugins.notifications.events import Notify
from competition.plugins.people.services import roles
from competition.plugins.sittings.models import Attempt


def apply(work: Work, plan: Plan) -> int:
    """Give all who advance the new stage; returns how many. `plan` is locked; one that is applied
    stays as it is. Who has another stage by now keeps it. Raises Invalid while an exam has no
    board."""
    if plan.status == "applied":
        count = select(func.count()).where(Advanced.plan_id == plan.id)
        return work.db.scalar(count) or 0
    cut, candidate_ids = ranking.advancing(work, plan)
    moved = roles.move_candidates(work, candidate_ids, plan.from_stage, plan.to_stage)
    of_plan = select(literal(plan.id), func.unnest(literal([*moved], ARRAY(Uuid()))))
    work.db.execute(insert(Advanced).from_select(["plan_id", "candidate_id"], of_plan))
    plan.applied_at, plan.undone_at = work.now, None
    outcome = {"advanced": len(moved), "cut_off": None if cut.lowest is None else float(cut.lowest)}
    audit.record(work, "advancement.apply", subject=plans.named(plan), new=outcome)
    work.db.flush()
    _tell(work, moved, "You advance", f"You have reached the next stage: {plan.to_stage}.")
    return len(moved)


def undo(work: Work, plan: Plan) -> None:
    """Give all who have the new stage by the plan their old one again; who was given another one
    meanwhile keeps that. `plan` is locked; one that is undone stays as it is.

    Raises Invalid when it was never applied, when that is too long ago, and when somebody has
    started an exam of the new stage since.
    """
    if plan.status == "undone":
        return
    if plan.applied_at is None:
        raise Invalid("This plan was not applied.")
    hours = work.settings[AdvancementSettings].undo_hours
    if work.now > plan.applied_at + timedelta(hours=hours):
        raise Invalid(f"This can be undone for {hours} hours.")
    advanced = _locked_against_starts(work, plan)
    started = select(Attempt.exam_id).join(Exam, Exam.id == Attempt.exam_id)
    since = started.where(Exam.stage == plan.to_stage, Attempt.started_at >= plan.applied_at)
    if work.db.scalar(select(since.exists())):
        raise Invalid(f"Somebody has started an exam of the stage {plan.to_stage}.")
    moved = roles.move_candidates(work, advanced, plan.to_stage, plan.from_stage)
    work.db.execute(delete(Advanced).where(Advanced.plan_id == plan.id))
    plan.undone_at = work.now
    audit.record(work, "advancement.undo", subject=plans.named(plan), old={"advanced": len(moved)})
    work.db.flush()
    _tell(work, moved, "A correction", f"Your stage is {plan.from_stage} again.")


def _locked_against_starts(work: Work, plan: Plan) -> Collection[UUID]:
    """Who advanced by the plan. An attempt refers to its candidate: this waits for those who are
    just starting an exam, and until the commit none of them starts one; then they are asked again
    whether it is of their stage."""
    theirs = (
        select(Candidate.id)
        .join(Advanced, Advanced.candidate_id == Candidate.id)
        .where(Advanced.plan_id == plan.id)
        .order_by(Candidate.id)
        .with_for_update(of=Candidate)
    )
    with over_sets(work.db):
        return work.db.scalars(theirs).all()


def _tell(work: Work, candidate_ids: Collection[UUID], subject: str, message: str) -> None:
    work.emit(Notify(work, candidate_ids, subject, message))
