"""Verifying an email address."""

from competition.core.auth.access import API_KEY
from competition.core.errors import RateLimitExceeded
from competition.core.messages import Message
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.accounts import presenters, schemas
from competition.plugins.accounts.errors import CODE_ERRORS
from competition.plugins.accounts.services import codes

email_verification = Service("/verify-email-otp/")
email_code = Service("/send-email-otp/")


@email_verification.post(access=API_KEY, body=schemas.EmailProof, errors=CODE_ERRORS)
def verify_email(request: Request) -> presenters.AccountMessage:
    """Verify an email address with the code that was sent to it.

    All sessions of the account end, because someone else may have registered the address. If you
    send your access token along, your session does not end.
    """
    codes.verify_email(request.work, request.validated["email"], request.validated["otp"])
    return presenters.AccountMessage(message=Message("Your email address is verified."))


@email_code.post(access=API_KEY, body=schemas.CodeRequest, errors=(RateLimitExceeded,))
def send_email_code(request: Request) -> presenters.CodeSent:
    """Email a new code for verifying an email address. The previous code becomes invalid.

    The reply is the same whether or not there is an account with this address.
    """
    email = request.validated["email"]
    codes.send_code(request.work, "email", email)
    return presenters.code_sent(request.work, email)
