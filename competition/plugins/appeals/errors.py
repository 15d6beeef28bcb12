from competition.core.errors import ApiError


class AppealsClosed(ApiError):
    """Not published, too late, or the caller took no part."""

    status = 403
    code = "appeals_closed"
    detail = "You can't appeal against a result of this exam, or not any more."
