from competition.core.errors import ApiError
from competition.core.messages import Message


class AlreadyVerified(ApiError):
    status = 400
    code = "already_verified"
    detail = Message("This user is already verified.")


class PendingVerification(ApiError):
    status = 400
    code = "pending_verification"
    detail = Message("Your documents are already being reviewed.")


class EmailNotVerified(ApiError):
    status = 403
    code = "email_not_verified"
    detail = Message("Verify your email address first.")
