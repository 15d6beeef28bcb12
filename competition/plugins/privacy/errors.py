from competition.core.errors import ApiError


class AccountInUse(ApiError):
    """Something of the account is under way, which `detail` names: an exam runs."""

    status = 409
    code = "account_in_use"
    detail = "This account can't be deleted just now."
