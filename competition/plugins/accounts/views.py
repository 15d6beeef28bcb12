from competition.core import profiles
from competition.core.auth import sessions
from competition.core.errors import AuthenticationFailed, InvalidToken, RateLimitExceeded
from competition.core.request import Request
from competition.core.roles import API_KEY, PUBLIC
from competition.core.service import Service
from competition.plugins.accounts import presenters, schemas, services
from competition.plugins.accounts.errors import (
    AccountAlreadyAuthenticated,
    InvalidOtp,
    PasswordsDoNotMatch,
    PasswordValidationFailed,
    RegistrationClosed,
)

registration = Service("/registration/")
candidate_registration = Service("/register/candidate/")
staff_registration = Service("/register/staff/")
email_verification = Service("/verify-email-otp/")
email_code = Service("/send-email-otp/")
login = Service("/auth/login/")
token_refresh = Service("/auth/token/refresh/")
logout = Service("/auth/logout/")

REGISTRATION_ERRORS = (
    AccountAlreadyAuthenticated,
    RegistrationClosed,
    PasswordsDoNotMatch,
    PasswordValidationFailed,
)
REGISTERED = "Your account is ready. A code to verify your email address is on its way to you."


@registration.get(access=PUBLIC)
def registration_status(request: Request) -> presenters.RegistrationStatus:
    """Who may register at the moment."""
    return presenters.registration_status(
        request.work,
        candidates=services.candidate_registration_is_open(request.work),
        staff=services.staff_registration_is_open(request.work),
    )


@candidate_registration.post(
    access=API_KEY,
    status=201,
    body=schemas.CandidateRegistration,
    guard=services.check_candidate_may_register,
    errors=REGISTRATION_ERRORS,
)
def register_candidate(request: Request) -> presenters.AccountMessage:
    """Make an account for a candidate.

    The passwords may be omitted when one is to be generated, which is then mailed.
    """
    services.register_candidate(request.work, request.validated)
    return presenters.message(REGISTERED)


@staff_registration.post(
    access=API_KEY,
    status=201,
    body=schemas.StaffRegistration,
    guard=services.check_staff_may_register,
    errors=REGISTRATION_ERRORS,
)
def register_staff(request: Request) -> presenters.AccountMessage:
    """Make an account for a member of staff.

    The passwords may be omitted when one is to be generated, which is then mailed. The account is
    deleted when the email address is not verified in 15 minutes.
    """
    services.register_staff(request.work, request.validated)
    return presenters.message(REGISTERED)


@email_verification.post(access=API_KEY, body=schemas.EmailProof, errors=(InvalidOtp,))
def verify_email(request: Request) -> presenters.AccountMessage:
    """Prove an email address with the code that was mailed to it."""
    services.verify_email(request.work, request.validated["email"], request.validated["otp"])
    return presenters.message("Your email address is verified.")


@email_code.post(access=API_KEY, body=schemas.CodeRequest, errors=(RateLimitExceeded,))
def send_email_code(request: Request) -> presenters.CodeSent:
    """Have a new code mailed; the one before it dies.

    The answer is the same whether there is such an account or not.
    """
    email = request.validated["email"]
    services.send_email_code(request.work, email)
    return presenters.code_sent(request.work, email)


@login.post(access=API_KEY, body=schemas.Credentials, errors=(AuthenticationFailed,))
def log_in(request: Request) -> presenters.Login:
    """Get tokens for an email address and its password."""
    credentials = request.validated
    user, pair = services.log_in(request.work, credentials["email"], credentials["password"])
    request.response.headers["Cache-Control"] = "no-store"
    return presenters.login(pair, profiles.profile(request.work, user))


@token_refresh.post(
    access=API_KEY, body=schemas.RefreshToken, errors=(InvalidToken,), limit="refresh"
)
def refresh_tokens(request: Request) -> presenters.Tokens:
    """Exchange a refresh token for new tokens.

    For 10 seconds an old token gets its successor again; any later use of it ends the session.
    """
    pair = sessions.refresh(request.work, request.validated["refresh"])
    request.response.headers["Cache-Control"] = "no-store"
    return presenters.tokens(pair)


@logout.post(
    access=API_KEY, status=204, body=schemas.RefreshToken, errors=(InvalidToken,), limit="none"
)
def log_out(request: Request) -> None:
    """End the session: its refresh token and its access tokens."""
    sessions.end(request.work, request.validated["refresh"])
