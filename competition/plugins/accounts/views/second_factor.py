"""Setting up and removing the caller's own second factor."""

from competition.core.auth.access import staff
from competition.core.errors import Invalid, NotFound, PermissionDenied, RateLimitExceeded
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.accounts import presenters, schemas
from competition.plugins.accounts.errors import InvalidOtp
from competition.plugins.accounts.services import second_factor

own_second_factor = Service("/auth/second-factor/")
recovery_codes = Service("/auth/second-factor/recovery-codes/")
second_factor_confirmation = Service("/auth/second-factor/confirm/")

# The access of endpoints that set up a second factor: staff may call them before they have one, and
# before their email address or identity is verified.
WITHOUT_SECOND_FACTOR = staff(verified=False, second_factor=False)


@own_second_factor.get(access=WITHOUT_SECOND_FACTOR)
def read_second_factor(request: Request) -> presenters.SecondFactorStatus:
    """Find out whether you have a second factor, and how many recovery codes you have left."""
    return second_factor.status(request.work)


@own_second_factor.post(
    access=WITHOUT_SECOND_FACTOR,
    status=201,
    body=schemas.SecondFactorSetup,
    errors=(RateLimitExceeded,),
    hashes_password=True,
)
def begin_second_factor(request: Request) -> presenters.SecondFactorSecret:
    """Get a secret for your authenticator app. It has no effect until you confirm a code from the
    app, in the same session and within 10 minutes.

    Send your password if you logged in more than 5 minutes ago. While one of your sessions has a
    secret to confirm, another session gets no secret.
    """
    app = second_factor.begin(request.work, request.validated["password"])
    return presenters.SecondFactorSecret(secret=app.secret, otpauth_url=app.provisioning_uri())


@second_factor_confirmation.post(
    access=WITHOUT_SECOND_FACTOR,
    body=schemas.SecondFactorCode,
    errors=(Invalid, InvalidOtp, RateLimitExceeded),
)
def confirm_second_factor(request: Request) -> presenters.RecoveryCodes:
    """Confirm your authenticator app by a code from it. From then on, your logins require a code.

    The reply contains recovery codes, which are shown only once. All your other sessions end.
    """
    codes_shown = second_factor.confirm(request.work, request.validated["code"])
    return presenters.RecoveryCodes(recovery_codes=codes_shown)


@recovery_codes.post(
    access=staff(verified=False),
    status=201,
    body=schemas.RecoveryCodeRenewal,
    errors=(NotFound, InvalidOtp, RateLimitExceeded),
    hashes_password=True,
)
def renew_recovery_codes(request: Request) -> presenters.RecoveryCodes:
    """Get new recovery codes, which replace the old ones. They are shown only once."""
    given = request.validated
    shown = second_factor.renew_recovery_codes(request.work, given["password"], given["code"])
    return presenters.RecoveryCodes(recovery_codes=shown)


@own_second_factor.delete(
    access=staff(verified=False),
    status=204,
    body=schemas.SecondFactorCode,
    errors=(PermissionDenied, NotFound, InvalidOtp, RateLimitExceeded),
)
def remove_second_factor(request: Request) -> None:
    """Remove your second factor, so that you log in with the password alone.

    This is not possible if your role requires a second factor.
    """
    second_factor.remove(request.work, request.validated["code"])
