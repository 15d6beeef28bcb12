from competition.core.errors import ApiError
from competition.core.messages import Message


class AccountInUse(ApiError):
    """The account is needed at the moment, for example for a running exam. `detail` says why."""

    status = 409
    code = "account_in_use"
    advice = "Show `detail`, and offer the deletion again later."
    detail = Message("This account can't be deleted at the moment. Try again later.")
