from competition.core.errors import ApiError
from competition.core.messages import Message


class PlanFrozen(ApiError):
    status = 400
    code = "plan_frozen"
    detail = Message(
        "The plan can't be changed or deleted any longer: a candidate has started one of its exams,"
        " or it was applied."
    )
