"""Login challenges: each is a login with the right password that still needs a code of the second
factor."""

import secrets
from datetime import timedelta

from sqlalchemy import delete, select

from competition.core.jobs.housekeeping import retention
from competition.core.users.models import User
from competition.core.work import Work
from competition.plugins.accounts.errors import InvalidOtp
from competition.plugins.accounts.models import LoginChallenge
from competition.plugins.accounts.services.second_factor import digest, use

# How long a login waits for the code, in minutes: long enough to fetch a telephone.
MINUTES = 5
# After this many wrong codes the user has to log in again, with the password.
TRIES = 5


def make(work: Work, user: User, shared_device: bool) -> str:
    """Create a challenge for a login with the right password, and return its token. The client
    sends the token back, with a code, to finish logging in."""
    token = secrets.token_urlsafe(32)
    expires_at = work.now + timedelta(minutes=MINUTES)
    # An unkeyed digest is safe, because the token has 256 random bits.
    work.db.add(
        LoginChallenge(
            digest=digest(token),
            user_id=user.id,
            expires_at=expires_at,
            shared_device=shared_device,
        )
    )
    return token


def answer(work: Work, token: str, code: str, email: str | None = None) -> tuple[User, bool]:
    """Check the code for a challenge, and delete the challenge. Returns the user who logs in, whose
    account is locked, and whether the login is at a shared computer.

    Raises the same InvalidOtp for a wrong code, for an unknown or expired challenge, for a
    challenge with `TRIES` wrong codes, for a deactivated account, and for an `email` other than the
    account's. Raises RateLimitExceeded if too many codes were sent for the account.
    """
    asked = select(LoginChallenge).where(LoginChallenge.digest == digest(token))
    user_id = work.db.scalar(asked.with_only_columns(LoginChallenge.user_id))
    user = (
        None if user_id is None else work.db.get(User, user_id, with_for_update={"key_share": True})
    )
    # Query the challenge again under the account's lock: another request may have used it up in the
    # meantime.
    found = work.db.scalar(asked)
    if user is None or not user.is_active or found is None:
        raise InvalidOtp
    if email is not None and email != user.email:
        raise InvalidOtp
    if found.expires_at <= work.now or found.tries >= TRIES:
        raise InvalidOtp
    try:
        use(work, user, code)
    except InvalidOtp:
        found.tries += 1
        raise
    work.db.delete(found)
    return user, found.shared_device


def end_all(work: Work, user: User) -> None:
    """Delete the user's challenges, because the password has changed or the email was verified."""
    work.db.execute(delete(LoginChallenge).where(LoginChallenge.user_id == user.id))


@retention("accounts.login_challenges")
def delete_expired(work: Work) -> None:
    """Delete expired challenges."""
    work.db.execute(delete(LoginChallenge).where(LoginChallenge.expires_at <= work.now))
