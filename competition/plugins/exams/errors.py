from competition.core.errors import ApiError


class ExamNotOpen(ApiError):
    status = 403
    code = "exam_not_open"
    detail = "The exam is not open."


class ExamNotEligible(ApiError):
    status = 403
    code = "exam_not_eligible"
    detail = "This exam is for candidates of another stage."


class ExamAlreadySubmitted(ApiError):
    status = 400
    code = "exam_already_submitted"
    detail = "You have already submitted your answers to this exam."
