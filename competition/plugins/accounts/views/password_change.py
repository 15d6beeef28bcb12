"""Changing a password with a code that is sent by email."""

from competition.core.auth.access import API_KEY
from competition.core.errors import RateLimitExceeded
from competition.core.messages import Message
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.accounts import presenters, schemas
from competition.plugins.accounts.errors import (
    CODE_ERRORS,
    PasswordsDoNotMatch,
    PasswordValidationFailed,
)
from competition.plugins.accounts.services import codes, passwords

password_request = Service("/auth/password-change/request/")
password_resending = Service("/auth/password-change/resend-otp/")
password_confirmation = Service("/auth/password-change/confirm-otp/")
password_change = Service("/auth/password-change/")


@password_request.post(
    access=API_KEY, body=schemas.PasswordCodeRequest, errors=(RateLimitExceeded,)
)
def request_password_change(request: Request) -> presenters.CodeSent:
    """Email a code for changing the password.

    The reply is the same whether or not there is an account with this address.
    """
    return _send_password_code(request)


@password_resending.post(
    access=API_KEY, body=schemas.PasswordCodeRequest, errors=(RateLimitExceeded,)
)
def resend_password_code(request: Request) -> presenters.CodeSent:
    """Email a new code for changing the password. The previous code becomes invalid."""
    return _send_password_code(request)


def _send_password_code(request: Request) -> presenters.CodeSent:
    email = request.validated["email"]
    codes.send_code(request.work, "password", email)
    return presenters.code_sent(request.work, email)


@password_confirmation.post(access=API_KEY, body=schemas.EmailProof, errors=CODE_ERRORS)
def confirm_password_code(request: Request) -> presenters.AccountMessage:
    """Check a code for changing the password, without using it up."""
    proof = request.validated
    codes.check_code(request.work, proof["email"], "password", proof["otp"])
    return presenters.AccountMessage(message=Message("The code is correct."))


@password_change.post(
    access=API_KEY,
    body=schemas.NewPassword,
    errors=(*CODE_ERRORS, PasswordsDoNotMatch, PasswordValidationFailed),
    hashes_password=True,
)
def change_password(request: Request) -> presenters.AccountMessage:
    """Set a new password with the code that was sent by email.

    All sessions of the user end, and the user is notified by email.
    """
    given = request.validated
    passwords.change_password(
        request.work,
        given["email"],
        given["otp"],
        given["new_password"],
        given["confirm_password"],
    )
    return presenters.AccountMessage(
        message=Message("Your password has been changed. Log in again.")
    )
