from uuid import UUID

from competition.core.auth import sessions
from competition.core.auth.access import API_KEY, PUBLIC, USER, staff
from competition.core.errors import (
    AuthenticationFailed,
    Invalid,
    InvalidOtp,
    InvalidToken,
    NotFound,
    PermissionDenied,
    RateLimitExceeded,
    ServiceUnavailable,
)
from competition.core.users import second_factor
from competition.core.users.profiles import document_links
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.accounts import presenters, schemas
from competition.plugins.accounts.errors import (
    AccountAlreadyAuthenticated,
    PasswordsDoNotMatch,
    PasswordValidationFailed,
    RegistrationClosed,
    SecondFactorAsked,
)
from competition.plugins.accounts.services import (
    codes,
    login,
    passwords,
    registration,
)

registration_state = Service("/registration/")
candidate_registration = Service("/register/candidate/")
staff_registration = Service("/register/staff/")
email_verification = Service("/verify-email-otp/")
email_code = Service("/send-email-otp/")
password_request = Service("/auth/password-change/request/")
password_resending = Service("/auth/password-change/resend-otp/")
password_confirmation = Service("/auth/password-change/confirm-otp/")
password_change = Service("/auth/password-change/")
own_sessions = Service("/auth/sessions/")
own_session = Service("/auth/sessions/{session_id:uuid}/")
login_form = Service("/auth/login/")
login_challenge = Service("/auth/login/second-factor/")
own_second_factor = Service("/auth/second-factor/")
second_factor_confirmation = Service("/auth/second-factor/confirm/")
token_refresh = Service("/auth/token/refresh/")
logout = Service("/auth/logout/")

REGISTRATION_ERRORS = (
    AccountAlreadyAuthenticated,
    RegistrationClosed,
    PasswordsDoNotMatch,
    PasswordValidationFailed,
    RateLimitExceeded,
)
# Of what checks a one-time password.
CODE_ERRORS = (InvalidOtp, RateLimitExceeded)
# Whoever has to set one up first reaches what that takes. So does who is not verified yet.
WITHOUT_SECOND_FACTOR = staff(verified=False, second_factor=False)
REGISTERED = "Your account is ready. A code to verify your email address is on its way to you."


@registration_state.get(access=PUBLIC, errors=(ServiceUnavailable,))
def registration_status(request: Request) -> presenters.RegistrationStatus:
    """Who may register at the moment."""
    return presenters.registration_status(
        request.work,
        candidates=registration.candidate_registration_is_open(request.work),
        staff=registration.staff_registration_is_open(request.work),
    )


@candidate_registration.post(
    access=API_KEY,
    status=201,
    body=schemas.CandidateRegistration,
    guard=registration.check_candidate_may_register,
    lane="passwords",
    errors=REGISTRATION_ERRORS,
)
def register_candidate(request: Request) -> presenters.AccountMessage:
    """Make an account for a candidate.

    The passwords may be omitted when one is to be generated, which is then mailed.
    """
    registration.register_candidate(request.work, request.validated)
    return presenters.AccountMessage(message=REGISTERED)


@staff_registration.post(
    access=API_KEY,
    status=201,
    body=schemas.StaffRegistration,
    guard=registration.check_staff_may_register,
    lane="passwords",
    errors=REGISTRATION_ERRORS,
)
def register_staff(request: Request) -> presenters.AccountMessage:
    """Make an account for a member of staff.

    The passwords may be omitted when one is to be generated, which is then mailed. The account is
    deleted when the email address is not verified in time, by default in 15 minutes.
    """
    registration.register_staff(request.work, request.validated)
    return presenters.AccountMessage(message=REGISTERED)


@email_verification.post(access=API_KEY, body=schemas.EmailProof, errors=CODE_ERRORS)
def verify_email(request: Request) -> presenters.AccountMessage:
    """Prove an email address with the code that was mailed to it."""
    codes.verify_email(request.work, request.validated["email"], request.validated["otp"])
    return presenters.AccountMessage(message="Your email address is verified.")


@email_code.post(access=API_KEY, body=schemas.CodeRequest, errors=(RateLimitExceeded,))
def send_email_code(request: Request) -> presenters.CodeSent:
    """Send a new code by mail. The previous one stops working.

    The answer is the same whether there is such an account or not.
    """
    email = request.validated["email"]
    codes.send_code(request.work, "email", email)
    return presenters.code_sent(request.work, email)


@password_request.post(
    access=API_KEY, body=schemas.PasswordCodeRequest, errors=(RateLimitExceeded,)
)
def request_password_change(request: Request) -> presenters.CodeSent:
    """Send a code to change the password by mail.

    The answer is the same whether there is such an account or not.
    """
    return _send_password_code(request)


@password_resending.post(
    access=API_KEY, body=schemas.PasswordCodeRequest, errors=(RateLimitExceeded,)
)
def resend_password_code(request: Request) -> presenters.CodeSent:
    """Send a new code to change the password by mail. The previous one stops working."""
    return _send_password_code(request)


def _send_password_code(request: Request) -> presenters.CodeSent:
    email = request.validated["email"]
    codes.send_code(request.work, "password", email)
    return presenters.code_sent(request.work, email)


@password_confirmation.post(access=API_KEY, body=schemas.EmailProof, errors=CODE_ERRORS)
def confirm_password_code(request: Request) -> presenters.AccountMessage:
    """Check a code to change the password. This does not use it up."""
    proof = request.validated
    codes.check_code(request.work, proof["email"], "password", proof["otp"])
    return presenters.AccountMessage(message="The code is right.")


@password_change.post(
    access=API_KEY,
    body=schemas.NewPassword,
    errors=(*CODE_ERRORS, PasswordsDoNotMatch, PasswordValidationFailed),
    lane="passwords",
)
def change_password(request: Request) -> presenters.AccountMessage:
    """Set a new password with the code that was mailed. All sessions of the user end,
    who is told by mail.
    """
    given = request.validated
    passwords.change_password(
        request.work,
        given["email"],
        given["otp"],
        given["new_password"],
        given["confirm_password"],
    )
    return presenters.AccountMessage(message="Your password has been changed. Log in again.")


@login_form.post(
    access=API_KEY,
    body=schemas.Credentials,
    errors=(AuthenticationFailed, SecondFactorAsked, RateLimitExceeded),
    lane="passwords",
)
def log_in(request: Request) -> presenters.Login:
    """Get tokens for an email address and its password.

    An account with a second factor gets a challenge, to be answered with a code within 5 minutes.
    """
    credentials = request.validated
    user, pair = login.log_in(request.work, credentials["email"], credentials["password"])
    return presenters.login(request.work, pair, user, document_links(request.work, user))


@login_challenge.post(
    access=API_KEY, body=schemas.ChallengeAnswer, errors=(InvalidOtp, RateLimitExceeded)
)
def log_in_with_second_factor(request: Request) -> presenters.Login:
    """Get tokens for a challenge and a code of the authenticator app, or a recovery code.

    Five wrong codes end the challenge. With the `email` in the body, too, requests are counted for
    that account, and not for everybody at the address.
    """
    answer = request.validated
    user, pair = login.answer_challenge(request.work, answer["challenge"], answer["code"])
    return presenters.login(request.work, pair, user, document_links(request.work, user))


@own_second_factor.post(access=WITHOUT_SECOND_FACTOR, status=201, errors=(Invalid,))
def begin_second_factor(request: Request) -> presenters.SecondFactorSecret:
    """Get a secret for an authenticator app. It counts once a code of it is confirmed."""
    app = second_factor.begin(request.work)
    return presenters.SecondFactorSecret(secret=app.secret, otpauth_url=app.provisioning_uri())


@second_factor_confirmation.post(
    access=WITHOUT_SECOND_FACTOR,
    body=schemas.SecondFactorCode,
    errors=(Invalid, InvalidOtp, RateLimitExceeded),
)
def confirm_second_factor(request: Request) -> presenters.RecoveryCodes:
    """Show that the app has the secret: from now on a login wants its code.

    The recovery codes are shown once. All other sessions of the caller end.
    """
    codes_shown = second_factor.confirm(request.work, request.validated["code"])
    return presenters.RecoveryCodes(recovery_codes=codes_shown)


@own_second_factor.delete(
    access=staff(verified=False),
    status=204,
    body=schemas.SecondFactorCode,
    errors=(PermissionDenied, NotFound, InvalidOtp, RateLimitExceeded),
)
def remove_second_factor(request: Request) -> None:
    """Log in with the password alone again, unless the rank wants a second factor."""
    second_factor.remove(request.work, request.validated["code"])


@token_refresh.post(
    access=API_KEY, body=schemas.RefreshToken, errors=(InvalidToken,), limit="refresh"
)
def refresh_tokens(request: Request) -> presenters.Tokens:
    """Exchange a refresh token for new tokens.

    For a moment, by default 10 seconds, an old token gets its successor again; any later use of it
    ends the session.
    """
    pair = sessions.refresh(request.work, request.validated["refresh"])
    return presenters.tokens(pair)


@logout.post(
    access=API_KEY, status=204, body=schemas.RefreshToken, errors=(InvalidToken,), limit="none"
)
def log_out(request: Request) -> None:
    """End the session: its refresh token and its access tokens."""
    sessions.end(request.work, request.validated["refresh"])


@own_sessions.get(access=USER)
def list_sessions(request: Request) -> list[presenters.SessionShape]:
    """Where the caller is logged in, the latest login first."""
    work = request.work
    return [presenters.session(work, each) for each in sessions.listing(work)]


@own_sessions.delete(access=USER, status=204)
def end_sessions(request: Request) -> None:
    """Log out everywhere, here too."""
    sessions.end_all(request.work, request.work.identity.user_id)


@own_session.delete(access=USER, status=204)
def end_session(request: Request, session_id: UUID) -> None:
    """Log out somewhere else."""
    sessions.end_one(request.work, session_id)
