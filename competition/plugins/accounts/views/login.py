"""Logging in, with a second factor or without, refreshing tokens, and logging out."""

from competition.core.auth.access import API_KEY
from competition.core.errors import AuthenticationFailed, InvalidToken, RateLimitExceeded
from competition.core.schemas import IdempotencyHeaders
from competition.core.users import sessions
from competition.core.users.documents import document_links
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.accounts import presenters, schemas
from competition.plugins.accounts.errors import InvalidOtp, SecondFactorAsked
from competition.plugins.accounts.services import login
from competition.plugins.accounts.services.accounts import is_abandoned

login_form = Service("/auth/login/")
login_challenge = Service("/auth/login/second-factor/")
token_refresh = Service("/auth/token/refresh/")
logout = Service("/auth/logout/")


@login_form.post(
    access=API_KEY,
    body=schemas.Credentials,
    errors=(AuthenticationFailed, SecondFactorAsked, RateLimitExceeded),
    hashes_password=True,
)
def log_in(request: Request) -> presenters.Login:
    """Log in with an email address and a password, and get tokens.

    If the account has a second factor, you get the error `second_factor_required` instead. It
    contains a challenge: send it to `/auth/login/second-factor/`, together with a code, within 5
    minutes.
    """
    user, pair = login.log_in(request.work, **request.validated)
    return presenters.login(request.work, pair, user, document_links(request.work, user))


@login_challenge.post(
    access=API_KEY, body=schemas.ChallengeAnswer, errors=(InvalidOtp, RateLimitExceeded)
)
def log_in_with_second_factor(request: Request) -> presenters.Login:
    """Finish logging in with the challenge and a code from the authenticator app, or a recovery
    code.

    The challenge becomes invalid after 5 wrong codes. If you also send the `email` of the account,
    the rate limit on requests without a token counts the request for this account. Otherwise, all
    clients at your network address share one limit. The email of another account is rejected, like
    a wrong challenge.
    """
    answer = request.validated
    user, pair = login.answer_challenge(
        request.work, answer["challenge"], answer["code"], email=answer["email"]
    )
    return presenters.login(request.work, pair, user, document_links(request.work, user))


@token_refresh.post(
    access=API_KEY,
    headers=IdempotencyHeaders,
    body=schemas.RefreshToken,
    errors=(InvalidToken,),
    limit="refresh",
)
def refresh_tokens(request: Request) -> presenters.Tokens:
    """Exchange a refresh token for a new pair of tokens.

    A refresh token can be used once. If you lose the reply, you can send the same token again
    within 10 seconds. Using it later ends the session, because it may have been stolen. With an
    `Idempotency-Key`, you can repeat the request at any time, until you have used the new refresh
    token. Choose a key that nobody can guess.
    """
    work, sent = request.work, request.validated
    pair = sessions.refresh(
        work, sent["refresh"], sent["idempotency_key"], deleted=is_abandoned(work)
    )
    return presenters.tokens(pair)


@logout.post(
    access=API_KEY, status=204, body=schemas.RefreshToken, errors=(InvalidToken,), limit="none"
)
def log_out(request: Request) -> None:
    """Log out: revoke the refresh token and all access tokens of its session."""
    sessions.end(request.work, request.validated["refresh"])
