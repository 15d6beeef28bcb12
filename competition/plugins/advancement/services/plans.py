"""Create, change and delete plans. Plans are frozen once a candidate starts one of their exams."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import joinedload, selectinload

from competition.core import audit, repeats, versions
from competition.core.errors import Invalid, existing
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.messages import Message
from competition.core.seasons import current as seasons
from competition.core.seasons.current import SeasonClosed
from competition.core.seasons.models import CURRENT_ID
from competition.core.work import Work
from competition.plugins.advancement.errors import PlanFrozen
from competition.plugins.advancement.models import Advanced, Plan, PlannedExam
from competition.plugins.exams.models import Exam
from competition.plugins.leaderboard.services import scheduling

CREATE = "advancement.create"
ORDERING = {
    "id": Plan.id,
    "from_stage": Plan.from_stage,
    "to_stage": Plan.to_stage,
    "created_at": Plan.created_at,
}
WITH_ALL = (joinedload(Plan.created_by), selectinload(Plan.exams))


def page_of_plans(work: Work, query: Query) -> Page[Plan]:
    stages = Plan.from_stage + " " + Plan.to_stage
    statement = select(Plan).options(*WITH_ALL).where(*contains_every_word(query["search"], stages))
    seasons.check(work, query["season"])
    season_id = CURRENT_ID if query["season"] is None else query["season"]
    statement = statement.where(Plan.season_id == season_id)
    if query["candidate"]:
        moved = select(Advanced.plan_id).where(Advanced.candidate_id == query["candidate"])
        statement = statement.where(Plan.id.in_(moved))
    return paginate(work, statement, query, key=Plan.id, created=Plan.created_at, ordering=ORDERING)


def get(work: Work, plan_id: int, lock: Any = None) -> Plan:
    """The plan, read again from the database. Raises NotFound if there is none with this id."""
    return existing(
        work.db.get(Plan, plan_id, options=WITH_ALL, with_for_update=lock, populate_existing=True)
    )


def locked(work: Work, plan_id: int) -> Plan:
    """Lock the plan and return it.

    Until the commit, no other transaction can change, apply or undo it, or open a season. Raises
    NotFound if there is no such plan, and SeasonClosed if its season is closed.
    """
    work.lock(seasons.LOCK)
    plan = get(work, plan_id, lock={"of": Plan})
    if plan.season_id != seasons.current(work).id:
        raise SeasonClosed
    return plan


def changeable(work: Work, plan_id: int, if_match: str | None = None) -> Plan:
    """Lock the plan and its exams, and return the plan.

    Until the commit, no candidate can be the first to start one of the exams.

    Raises NotFound if there is no such plan, SeasonClosed if its season is closed, and PlanFrozen
    if a candidate has started one of its exams, or if the plan was applied. Raises
    PreconditionFailed if `if_match` names an earlier version.
    """
    plan = _locked_with_exams(work, plan_id)
    if plan.status != "open":
        raise PlanFrozen
    versions.check(plan.updated_at, if_match)
    return plan


def deletable(work: Work, plan_id: int) -> Plan:
    """Lock the plan and its exams, and return the plan.

    Raises NotFound if there is no such plan, SeasonClosed if its season is closed, and PlanFrozen
    if the plan was applied or a candidate may have relied on it (`Plan.is_deletable`).
    """
    plan = _locked_with_exams(work, plan_id)
    if not plan.is_deletable:
        raise PlanFrozen
    return plan


def _locked_with_exams(work: Work, plan_id: int) -> Plan:
    plan = locked(work, plan_id)
    # This waits for transactions that are marking one of the exams as started. Later transactions
    # that would do so have to wait for the commit.
    work.db.execute(
        select(Exam.id)
        .where(Exam.id.in_(plan.exam_ids))
        .order_by(Exam.id)
        .with_for_update(read=True)
    )
    return get(work, plan_id)


def create(work: Work, fields: Mapping[str, Any], idempotency_key: str | None = None) -> Plan:
    """Create a plan. A repeated request with the same idempotency key returns the plan of the first
    request.

    Raises Invalid if `to_stage` is not a later stage, or if an exam does not exist or is not of the
    stage `from_stage`. Raises SeasonClosed if an exam is of a closed season, IdempotencyKeyReused
    if the key was used for another plan, and NotFound if the plan of the first request was deleted.
    """
    plan_id: int = repeats.once(
        work, CREATE, idempotency_key, fields, lambda: _create(work, fields).id
    )
    return get(work, plan_id)


def _create(work: Work, fields: Mapping[str, Any]) -> Plan:
    plan = Plan(created_by_id=work.identity.user_id, created_at=work.now, exams=[])
    _set(work, plan, fields)
    work.db.add(plan)
    work.db.flush()
    audit.record(work, CREATE, subject=named(plan), new=dict(fields))
    return plan


def change(work: Work, plan: Plan, changes: Mapping[str, Any]) -> Plan:
    """Change a plan that `changeable` has returned.

    Raises Invalid if `to_stage` is not a later stage, or if an exam does not exist or is not of the
    stage `from_stage`. Raises SeasonClosed if an exam is of a closed season.
    """
    before = _fields(plan)
    _set(work, plan, changes)
    plan.changed_at = work.now
    work.db.flush()
    plan = get(work, plan.id)
    audit.record_change(work, "advancement.change", named(plan), before, _fields(plan))
    return plan


def remove(work: Work, plan: Plan) -> None:
    """Delete a plan that `deletable` has returned."""
    audit.record(work, "advancement.delete", subject=named(plan), old=_fields(plan))
    work.db.delete(plan)
    work.db.flush()


def named(plan: Plan) -> str:
    """The name of the plan in the audit trail."""
    return f"advancement {plan.id}"


def _fields(plan: Plan) -> dict[str, Any]:
    return {
        "from_stage": plan.from_stage,
        "to_stage": plan.to_stage,
        "exams": plan.exam_ids,
        "rule": {plan.rule_kind: float(plan.rule_value)},
        "ties": plan.ties,
    }


def _set(work: Work, plan: Plan, fields: Mapping[str, Any]) -> None:
    for name in ("from_stage", "to_stage", "ties"):
        setattr(plan, name, fields.get(name, getattr(plan, name)))
    if "rule" in fields:
        [(plan.rule_kind, value)] = fields["rule"].items()
        # Converted through a string, so that 0.1 becomes exactly one tenth.
        plan.rule_value = Decimal(str(value))
    if not plan.leads_up:
        raise Invalid.field("to_stage", Message("This stage has to be later than from_stage."))
    exam_ids = scheduling.lock_exams(work, fields.get("exams", plan.exam_ids), plan.from_stage)
    if exam_ids != plan.exam_ids:
        plan.exams = []
        # Delete the rows now: a later flush would insert the new rows of the same exams first.
        work.db.flush()
        plan.exams = [
            PlannedExam(exam_id=exam_id, position=position)
            for position, exam_id in enumerate(exam_ids)
        ]
