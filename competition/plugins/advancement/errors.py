from competition.core.errors import ApiError
from competition.core.messages import Message


class PlanFrozen(ApiError):
    status = 400
    code = "plan_frozen"
    advice = "Read the plan again, and offer no changes. Create another plan for later exams."
    detail = Message(
        "The plan can't be changed or deleted any longer: a candidate has started one of its exams,"
        " or it was applied."
    )
