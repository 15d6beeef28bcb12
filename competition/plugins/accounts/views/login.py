"""Logging in, with a second factor or without, refreshing tokens, and logging out."""

from competition.core.auth.access import API_KEY
from competition.core.errors import (
    AuthenticationFailed,
    InvalidOtp,
    InvalidToken,
    RateLimitExceeded,
)
from competition.core.users import sessions
from competition.core.users.documents import document_links
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.accounts import presenters, schemas
from competition.plugins.accounts.errors import SecondFactorAsked
from competition.plugins.accounts.services import login

login_form = Service("/auth/login/")
login_challenge = Service("/auth/login/second-factor/")
token_refresh = Service("/auth/token/refresh/")
logout = Service("/auth/logout/")


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
