from typing import NotRequired

from competition.core.errors import ApiError, ErrorBody, RateLimitExceeded
from competition.core.messages import Message


class InvalidOtp(ApiError):
    """The code is wrong, used or expired, or the address is unknown. The failure stays counted."""

    status = 400
    code = "invalid_otp"
    detail = Message("The code is invalid or has expired.")
    keep = True


# The errors that a check of a one-time password can raise.
CODE_ERRORS = (InvalidOtp, RateLimitExceeded)


class LoginRefusal(ErrorBody):
    """The error of a login. With the code `second_factor_required`, the body also contains a
    `challenge` that the client has to answer with a code within `expires_in_minutes`."""

    challenge: NotRequired[str]
    expires_in_minutes: NotRequired[int]


class SecondFactorAsked(ApiError):
    """The password is right, but the login also needs a code of the second factor. The challenge is
    committed, so that the client can answer it."""

    status = 401
    code = "second_factor_required"
    detail = Message(
        "Send a code from your authenticator app, or a recovery code, to finish logging in."
    )
    keep = True
    shape = LoginRefusal

    def __init__(self, challenge: str, minutes: int) -> None:
        super().__init__()
        self._asked = LoginRefusal(**super().body, challenge=challenge, expires_in_minutes=minutes)

    @property
    def body(self) -> LoginRefusal:
        return self._asked


class RegistrationClosed(ApiError):
    status = 403
    code = "registration_closed"
    detail = Message("Registration is closed.")


class AccountAlreadyAuthenticated(ApiError):
    status = 403
    code = "account_already_authenticated"
    detail = Message("You are already logged in. Log out to register another account.")


class PasswordsDoNotMatch(ApiError):
    status = 400
    code = "passwords_do_not_match"
    detail = Message("The two passwords are different. Send the same password twice.")


class PasswordValidationFailed(ApiError):
    """The password breaks a rule. `errors` lists the reasons."""

    status = 400
    code = "password_validation_failed"
    detail = Message("The password does not meet the requirements.")
