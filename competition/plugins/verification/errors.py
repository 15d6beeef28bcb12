from competition.core.errors import ApiError
from competition.core.messages import Message


class AlreadyVerified(ApiError):
    status = 400
    code = "already_verified"
    advice = "Read the user again: there is nothing left to decide or to send."
    detail = Message("This user is already verified. Nothing is left to send or to decide.")


class PendingVerification(ApiError):
    status = 400
    code = "pending_verification"
    advice = "Show that the documents are being reviewed, and wait for the decision."
    detail = Message("Your documents are already being reviewed. Wait for the decision.")


class EmailNotVerified(ApiError):
    status = 403
    code = "email_not_verified"
    advice = "Ask the user for the code from the email, or send a new code."
    detail = Message("Verify your email address first.")
