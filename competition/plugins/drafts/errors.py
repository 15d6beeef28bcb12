from competition.core.errors import ApiError


class ExamNotStarted(ApiError):
    status = 400
    code = "exam_not_started"
    detail = "You have not started this exam."
