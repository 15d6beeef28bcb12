from competition.core.auth.access import StaffRole, staff
from competition.core.errors import IdempotencyKeyReused, Invalid, PreconditionFailed
from competition.core.schemas import IdempotencyHeaders, VersionHeaders
from competition.core.web.paging import PageQuery
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.core.work import Work
from competition.plugins.advancement import presenters, schemas
from competition.plugins.advancement.errors import PlanFrozen
from competition.plugins.advancement.models import Plan
from competition.plugins.advancement.services import applying, plans, ranking

ADMIN = staff(StaffRole.ADMIN)
MODERATOR = staff(StaffRole.MODERATOR)

all_plans = Service("/advancement/")
one_plan = Service("/advancement/{plan_id:int}/")
plan_preview = Service("/advancement/{plan_id:int}/preview/")
application = Service("/advancement/{plan_id:int}/apply/")
advanced_candidates = Service("/advancement/{plan_id:int}/candidates/")
undoing = Service("/advancement/{plan_id:int}/undo/")


@all_plans.get(access=MODERATOR, query=schemas.PlanFilters)
def list_plans(request: Request) -> presenters.AdvancementPlanList:
    """List the advancement plans of a season, the newest first."""
    page = plans.page_of_plans(request.work, request.validated)
    refusals = (applying.find_undo_refusal(request.work, each) for each in page.items)
    return presenters.plan_list(request.work, page, refusals, request.public_url)


@all_plans.post(
    access=ADMIN,
    status=201,
    headers=IdempotencyHeaders,
    body=schemas.NewPlan,
    errors=(IdempotencyKeyReused,),
    changes_season=True,
)
def create_plan(request: Request) -> presenters.AdvancementPlan:
    """Create a plan by which candidates advance to a later stage.

    The sum of the scores in the given exams decides. The plan can be changed and deleted until a
    candidate starts one of them. With an `Idempotency-Key`, the request can be sent again, for
    example if the reply was lost.
    """
    fields = request.validated
    key = fields.pop("idempotency_key")
    return _shown(request.work, plans.create(request.work, fields, key))


@one_plan.get(access=MODERATOR, guard=plans.get, versioned=True)
def get_plan(request: Request, plan_id: int) -> presenters.AdvancementPlan:
    """Get an advancement plan."""
    request.tag(request.target.updated_at)
    return _shown(request.work, request.target)


@one_plan.patch(
    access=ADMIN,
    headers=VersionHeaders,
    body=schemas.PlanChanges,
    guard=plans.changeable,
    errors=(PlanFrozen, PreconditionFailed),
    versioned=True,
    changes_season=True,
)
def change_plan(request: Request, plan_id: int) -> presenters.AdvancementPlan:
    """Change a plan.

    This is possible as long as no candidate has started one of its exams, and the plan was never
    applied.
    """
    changes = {name: value for name, value in request.validated.items() if name != "if_match"}
    changed = plans.change(request.work, request.target, changes)
    request.tag(changed.updated_at)
    return _shown(request.work, changed)


@one_plan.delete(
    access=ADMIN, status=204, guard=plans.deletable, errors=(PlanFrozen,), changes_season=True
)
def delete_plan(request: Request, plan_id: int) -> None:
    """Delete a plan that was never applied, as long as no candidate has started one of its exams.

    You can also delete it later if it was created or changed after the first start, or if one of
    its exams was deleted.
    """
    plans.remove(request.work, request.target)


# `over_sets` needs a transaction, in which it changes settings of PostgreSQL's planner.
@plan_preview.get(access=ADMIN, guard=plans.get, query=PageQuery, transaction=True)
def preview_plan(request: Request, plan_id: int) -> presenters.AdvancementPreview:
    """Preview which candidates would advance if the plan were applied now.

    The leaderboards of its exams have to be published.
    """
    cut, moving, page = ranking.preview(request.work, request.target, request.validated)
    return presenters.preview(cut, moving, page, request.public_url)


@application.post(access=ADMIN, guard=plans.locked, errors=(Invalid,), changes_season=True)
def apply_plan(request: Request, plan_id: int) -> presenters.AdvancementResult:
    """Move all advancing candidates to the new stage, and notify them.

    If the plan is already applied, nothing changes.
    """
    advanced = applying.apply(request.work, request.target)
    return presenters.AdvancementResult(advanced=advanced)


@advanced_candidates.get(access=MODERATOR, guard=plans.get, query=schemas.AdvancedFilters)
def list_advanced_candidates(request: Request, plan_id: int) -> presenters.AdvancedCandidateList:
    """List the candidates who advanced by an applied plan, the best first.

    Each has the rank and the total score by which the candidate advanced. A later regrade does not
    change them. The list is empty if the plan is not applied.
    """
    page = ranking.page_of_advanced(request.work, request.target, request.validated)
    return presenters.advanced_list(page, request.public_url)


@undoing.post(access=ADMIN, guard=plans.locked, errors=(Invalid,), changes_season=True)
def undo_plan(request: Request, plan_id: int) -> presenters.AdvancementResult:
    """Move the candidates who advanced by a plan back to their old stage, and notify them.

    This is possible within 24 hours (by default), and only until a candidate starts an exam of the
    new stage.
    """
    applying.undo(request.work, request.target)
    return presenters.AdvancementResult(advanced=0)


def _shown(work: Work, plan: Plan) -> presenters.AdvancementPlan:
    return presenters.plan(work, plan, applying.find_undo_refusal(work, plan))
