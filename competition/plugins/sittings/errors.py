from competition.core.errors import ApiError
from competition.core.messages import Message


class ExamNotEligible(ApiError):
    status = 403
    code = "exam_not_eligible"
    detail = Message("This exam is for candidates of another stage.")


class ExamNotStarted(ApiError):
    status = 400
    code = "exam_not_started"
    detail = Message("You have not started this exam. Open the paper first.")


class ExamAlreadySubmitted(ApiError):
    status = 400
    code = "exam_already_submitted"
    detail = Message("You have already submitted your answers to this exam.")
