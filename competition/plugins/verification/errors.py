from competition.core.errors import ApiError


class AlreadyVerified(ApiError):
    status = 400
    code = "already_verified"
    detail = "This user is already verified."


class PendingVerification(ApiError):
    status = 400
    code = "pending_verification"
    detail = "Your documents are already being reviewed."
