from competition.core.errors import ApiError


class ExamNotOpen(ApiError):
    status = 403
    code = "exam_not_open"
    detail = "The exam is not open."
