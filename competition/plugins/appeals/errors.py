from competition.core.errors import ApiError
from competition.core.messages import Message


class AppealsClosed(ApiError):
    """The exam is not published, the time to appeal is over, or the caller did not take part."""

    status = 403
    code = "appeals_closed"
    advice = "Offer no appeal for this exam."
    detail = Message(
        "You can't appeal against this exam's results. They are not published, the time to appeal"
        " is over, or you did not take part."
    )
