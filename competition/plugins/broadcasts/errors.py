from competition.core.errors import ApiError
from competition.core.messages import Message


class NoRecipientsFound(ApiError):
    status = 400
    code = "no_recipients_found"
    advice = "Choose other recipients. Nothing was sent."
    detail = Message("This broadcast would reach no active user. Choose other recipients.")


class InvalidMedium(ApiError):
    status = 400
    code = "invalid_medium"
    advice = "Send `email`, `platform`, or both."
    detail = Message("This medium does not exist. Use email, platform, or both.")
