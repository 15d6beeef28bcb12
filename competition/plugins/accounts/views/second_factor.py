"""Setting up and removing one's own second factor."""

from competition.core.auth.access import staff
from competition.core.errors import (
    Invalid,
    InvalidOtp,
    NotFound,
    PermissionDenied,
    RateLimitExceeded,
)
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.accounts import presenters, schemas
from competition.plugins.accounts.services import second_factor

own_second_factor = Service("/auth/second-factor/")
second_factor_confirmation = Service("/auth/second-factor/confirm/")

# Staff who have to set up a second factor first can do so, and so can unverified staff.
WITHOUT_SECOND_FACTOR = staff(verified=False, second_factor=False)


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
