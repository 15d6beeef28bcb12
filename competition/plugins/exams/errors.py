from competition.core.errors import ApiError


class ExamNotOpen(ApiError):
    status = 403
    code = "exam_not_open"
    detail = "This exam is not open. You can't work on it or submit answers now."
