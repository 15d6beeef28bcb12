from competition.core.errors import ApiError


class PlanFrozen(ApiError):
    status = 400
    code = "plan_frozen"
    detail = "Somebody has started one of the exams: the plan stays as it is."
