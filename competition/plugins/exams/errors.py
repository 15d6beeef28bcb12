from competition.core.errors import ApiError
from competition.core.messages import Message


class ExamNotOpen(ApiError):
    status = 403
    code = "exam_not_open"
    detail = Message("This exam is not open. You can't work on it or submit answers now.")
