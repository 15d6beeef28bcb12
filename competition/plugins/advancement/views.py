from competition.core.auth.access import StaffRole, staff
from competition.core.errors import Invalid
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.advancement import presenters, schemas
from competition.plugins.advancement.errors import PlanFrozen
from competition.plugins.advancement.services import applying, plans, ranking

ADMIN = staff(StaffRole.ADMIN)
MODERATOR = staff(StaffRole.MODERATOR)

all_plans = Service("/advancement/")
one_plan = Service("/advancement/{plan_id:int}/")
plan_preview = Service("/advancement/{plan_id:int}/preview/")
application = Service("/advancement/{plan_id:int}/apply/")
undoing = Service("/advancement/{plan_id:int}/undo/")


@all_plans.get(access=MODERATOR, query=schemas.PlanFilters)
def list_plans(request: Request) -> presenters.AdvancementPlanList:
    """List the plans of who advances, newest first."""
    page = plans.page_of_plans(request.work, request.validated)
    return presenters.plan_list(request.work, page, request.public_url)


@all_plans.post(access=ADMIN, status=201, body=schemas.NewPlan)
def create_plan(request: Request) -> presenters.AdvancementPlan:
    """Plan who advances: by the sum of the scores in these exams."""
    return presenters.plan(request.work, plans.create(request.work, request.validated))


@one_plan.get(access=MODERATOR, guard=plans.get)
def get_plan(request: Request, plan_id: int) -> presenters.AdvancementPlan:
    """Show a plan."""
    return presenters.plan(request.work, request.target)


@one_plan.patch(
    access=ADMIN, guard=plans.changeable, body=schemas.PlanChanges, errors=(PlanFrozen,)
)
def change_plan(request: Request, plan_id: int) -> presenters.AdvancementPlan:
    """Change a plan, until somebody has started one of its exams."""
    changed = plans.change(request.work, request.target, request.validated)
    return presenters.plan(request.work, changed)


@one_plan.delete(access=ADMIN, status=204, guard=plans.changeable, errors=(PlanFrozen,))
def delete_plan(request: Request, plan_id: int) -> None:
    """Delete a plan, until somebody has started one of its exams."""
    plans.remove(request.work, request.target)


# Settings of PostgreSQL's planner hold for a transaction.
@plan_preview.get(access=ADMIN, guard=plans.get, query=schemas.PreviewQuery, transaction=True)
def preview_plan(request: Request, plan_id: int) -> presenters.AdvancementPreview:
    """Who would advance if the plan were applied now. Its exams have to be published."""
    cut, page = ranking.preview(request.work, request.target, request.validated)
    return presenters.preview(cut, page, request.public_url)


@application.post(access=ADMIN, guard=plans.locked, errors=(Invalid,))
def apply_plan(request: Request, plan_id: int) -> presenters.AdvancementResult:
    """Give all who advance the new stage, and tell them. A second time changes nothing."""
    advanced = applying.apply(request.work, request.target)
    return presenters.AdvancementResult(advanced=advanced)


@undoing.post(access=ADMIN, guard=plans.locked, errors=(Invalid,))
def undo_plan(request: Request, plan_id: int) -> presenters.AdvancementResult:
    """Take it back: within a day, and only until somebody starts an exam of the new stage."""
    applying.undo(request.work, request.target)
    return presenters.AdvancementResult(advanced=0)
