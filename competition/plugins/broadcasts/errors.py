from competition.core.errors import ApiError
from competition.core.messages import Message


class NoRecipientsFound(ApiError):
    status = 400
    code = "no_recipients_found"
    advice = "Choose other roles. Nothing was sent."
    detail = Message("No active user has any of these roles. Choose other roles.")


class InvalidMedium(ApiError):
    status = 400
    code = "invalid_medium"
    advice = "Send `email`, `platform`, or both."
    detail = Message("This medium does not exist. Use email, platform, or both.")
