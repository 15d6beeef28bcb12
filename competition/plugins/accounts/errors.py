from typing import NotRequired

from competition.core.errors import ApiError, ErrorBody


class LoginRefusal(ErrorBody):
    """With the code `second_factor_required` comes the challenge to be answered, and how long that
    may take."""

    challenge: NotRequired[str]
    expires_in_minutes: NotRequired[int]


class SecondFactorAsked(ApiError):
    """The password is right, and half of the login: the challenge, which is kept, is the other."""

    status = 401
    code = "second_factor_required"
    detail = "Send the code of your authenticator app, or a recovery code."
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
    detail = "Registration is closed."


class AccountAlreadyAuthenticated(ApiError):
    status = 403
    code = "account_already_authenticated"
    detail = "You are logged in already: log out to register another account."


class PasswordsDoNotMatch(ApiError):
    status = 400
    code = "passwords_do_not_match"
    detail = "The two passwords differ."


class PasswordValidationFailed(ApiError):
    """`errors` has the reasons."""

    status = 400
    code = "password_validation_failed"
    detail = "The password does not meet the requirements."
