from competition.core.errors import ApiError


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


class InvalidOtp(ApiError):
    """Wrong, used or expired, or for an unknown address. A wrong try stays counted."""

    status = 400
    code = "invalid_otp"
    detail = "The code is invalid or has expired."
    keep = True
