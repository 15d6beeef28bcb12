from competition.core.errors import ApiError


class NoRecipientsFound(ApiError):
    status = 400
    code = "no_recipients_found"
    detail = "Nobody has one of these roles."


class InvalidMedium(ApiError):
    status = 400
    code = "invalid_medium"
    detail = "The mediums are email and platform."
