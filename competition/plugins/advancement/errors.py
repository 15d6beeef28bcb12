from competition.core.errors import ApiError


class PlanFrozen(ApiError):
    status = 400
    code = "plan_frozen"
    detail = (
        "The plan can't be changed or deleted any longer: a candidate has started one of its exams,"
        " or it was applied."
    )
