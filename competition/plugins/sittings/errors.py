from competition.core.errors import ApiError


class ExamNotEligible(ApiError):
    status = 403
    code = "exam_not_eligible"
    detail = "This exam is for candidates of another stage."


class IdempotencyKeyReused(ApiError):
    status = 400
    code = "idempotency_key_reused"
    detail = "Other answers were submitted under this Idempotency-Key."


class ExamAlreadySubmitted(ApiError):
    status = 400
    code = "exam_already_submitted"
    detail = "You have already submitted your answers to this exam."
