from competition.core.errors import ApiError


class NoRecipientsFound(ApiError):
    status = 400
    code = "no_recipients_found"
    detail = "No active user has any of these roles."


class InvalidMedium(ApiError):
    status = 400
    code = "invalid_medium"
    detail = "This medium does not exist. Use email, platform, or both."
