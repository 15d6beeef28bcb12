"""Promote all candidates who advance, and undo promotions."""

from collections.abc import Collection
from dataclasses import asdict
from datetime import timedelta
from uuid import UUID

from sqlalchemy import delete, func, insert, select

from competition.core import audit
from competition.core.auth.access import ROLE_NAMES
from competition.core.database import over_sets
from competition.core.errors import Invalid
from competition.core.messages import Message
from competition.core.seasons import current as seasons
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
    """Move all advancing candidates to the new stage, notify them, and return their number.

    Candidates who are no longer in the stage `from_stage` are not moved. If the plan is already
    applied, nothing changes. The caller must have locked `plan`.

    Raises Invalid if an exam of the plan has no published leaderboard, or was deleted.
    """
    if plan.status == "applied":
        count = select(func.count()).where(Advanced.plan_id == plan.id)
        return work.db.scalar(count) or 0
    cut, places = ranking.advancing(work, plan)
    candidate_ids = [each.candidate_id for each in places]
    moved = {*roles.move_candidates(work, candidate_ids, plan.from_stage, plan.to_stage)}
    rows = [{"plan_id": plan.id, **asdict(each)} for each in places if each.candidate_id in moved]
    if rows:
        work.db.execute(insert(Advanced), rows)
    plan.applied_at, plan.undone_at = work.now, None
    outcome = {"advanced": len(moved), "cut_off": None if cut.lowest is None else float(cut.lowest)}
    audit.record(work, "advancement.apply", subject=plans.named(plan), new=outcome)
    work.db.flush()
    message = Message("You have reached the next stage: ${stage}.", stage=ROLE_NAMES[plan.to_stage])
    work.emit(Notify(work, moved, Message("You advance"), message))
    return len(moved)


def undo(work: Work, plan: Plan) -> None:
    """Move all candidates who advanced by the plan back to their old stage, and notify them.

    Candidates who are no longer in the new stage are not moved. If the plan is already undone,
    nothing changes. The caller must have locked `plan`.

    Raises Invalid if the plan was never applied, or more than `undo_hours` ago. Also raises Invalid
    if a candidate has started an exam of the new stage after the plan was applied.
    """
    if plan.status == "undone":
        return
    if plan.applied_at is None:
        raise Invalid(Message("This plan has not been applied, so there is nothing to undo."))
    advanced = _locked_against_starts(work, plan)
    if refusal := find_undo_refusal(work, plan):
        raise Invalid(refusal)
    moved = roles.move_candidates(work, advanced, plan.to_stage, plan.from_stage)
    work.db.execute(delete(Advanced).where(Advanced.plan_id == plan.id))
    plan.undone_at = work.now
    audit.record(work, "advancement.undo", subject=plans.named(plan), old={"advanced": len(moved)})
    work.db.flush()
    message = Message(
        "Your promotion was undone. You are in the stage ${stage} again.",
        stage=ROLE_NAMES[plan.from_stage],
    )
    work.emit(Notify(work, moved, Message("A correction"), message))


def find_undo_refusal(work: Work, plan: Plan) -> Message | None:
    """Why the plan can't be undone any longer, or None if it can, or is not applied."""
    if plan.status != "applied" or plan.applied_at is None:
        return None
    hours = work.settings[AdvancementSettings].undo_hours
    # Lists show plans of long ago, so compare the times first: this needs no query.
    if work.now > plan.applied_at + timedelta(hours=hours):
        return Message(
            "An advancement can only be undone within ${hours} hours. "
            "Change the stage of single candidates instead.",
            hours=hours,
        )
    if plan.season_id != seasons.current(work).id:
        return Message("The season of this plan is closed, so the plan can't be undone.")
    started = select(Attempt.exam_id).join(Exam, Exam.id == Attempt.exam_id)
    since = started.where(Exam.stage == plan.to_stage, Attempt.started_at >= plan.applied_at)
    if work.db.scalar(select(since.exists())):
        return Message(
            "This advancement can't be undone, because a candidate has already started an exam"
            " of the stage ${to_stage}.",
            to_stage=plan.to_stage,
        )
    return None


def _locked_against_starts(work: Work, plan: Plan) -> Collection[UUID]:
    """Lock the accounts of the candidates who advanced by the plan, and return their ids.

    Starting an exam inserts an attempt that refers to the account. So this waits for candidates who
    are just starting an exam. The other candidates can't start an exam until the commit, and then
    their stage is checked again.
    """
    theirs = (
        select(Candidate.id)
        .join(Advanced, Advanced.candidate_id == Candidate.id)
        .where(Advanced.plan_id == plan.id)
        .order_by(Candidate.id)
        .with_for_update(of=Candidate)
    )
    with over_sets(work.db):
        return work.db.scalars(theirs).all()
