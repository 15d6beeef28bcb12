from typing import NotRequired

from competition.core.errors import ApiError, ErrorBody, RateLimitExceeded
from competition.core.messages import Message


class InvalidOtp(ApiError):
    """The code is wrong, used or expired, or no account has the address. The transaction is still
    committed, so that the wrong code counts towards the limits on guessing."""

    status = 400
    code = "invalid_otp"
    advice = "Ask the user to type the code again, or send a new code."
    detail = Message("The code is invalid or has expired. Check the code, or use a new one.")
    keep = True


# The errors that a check of a one-time password can raise.
CODE_ERRORS = (InvalidOtp, RateLimitExceeded)


class LoginRefusal(ErrorBody):
    """The body of the errors of the login. With the code `second_factor_required`, it also contains
    a `challenge` that the client has to answer with a code within `expires_in_minutes`."""

    challenge: NotRequired[str]
    expires_in_minutes: NotRequired[int]


class SecondFactorAsked(ApiError):
    """The password is right, but the login also needs a code of the second factor. The challenge is
    committed, so that the client can answer it."""

    status = 401
    code = "second_factor_required"
    advice = (
        "Ask for the code, and send it with the challenge of this reply to the login"
        " with a second factor."
    )
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
    advice = "Show that nobody can register now. Staff can open the registration."
    detail = Message("Registration is closed. Ask the organisers when it opens.")


class AccountAlreadyAuthenticated(ApiError):
    status = 403
    code = "account_already_authenticated"
    advice = "Send no access token with a registration, or log out first."
    detail = Message("You are already logged in. Log out to register another account.")


class PasswordsDoNotMatch(ApiError):
    status = 400
    code = "passwords_do_not_match"
    advice = "Ask the user to type the new password twice."
    detail = Message("The two passwords are different. Send the same password twice.")


class PasswordValidationFailed(ApiError):
    """The password breaks a rule. `errors` lists the reasons."""

    status = 400
    code = "password_validation_failed"
    advice = "Show the reasons in `errors`, and ask for another password."
    detail = Message("The password does not meet the requirements. Choose another password.")
