from competition.core.errors import ApiError
from competition.core.messages import Message


class ExamNotOpen(ApiError):
    status = 403
    code = "exam_not_open"
    advice = (
        "Show `opens_at` and `closes_at` of the exam. Don't repeat the request before it opens."
    )
    detail = Message("This exam is not open. You can't work on it or submit answers now.")
