"""Log users in, with or without a second factor, and begin their sessions."""

from competition.core.audit import security_log
from competition.core.auth import hashing
from competition.core.errors import AuthenticationFailed
from competition.core.limits.acts import Act, count_act, guessing
from competition.core.limits.counters import parse_rates
from competition.core.texts import password_form
from competition.core.users import logins, sessions
from competition.core.users.models import User
from competition.core.users.sessions import TokenPair
from competition.core.work import Work
from competition.plugins.accounts import OWN_GUESSES, AccountsSettings
from competition.plugins.accounts.errors import SecondFactorAsked
from competition.plugins.accounts.services import challenges, second_factor
from competition.plugins.accounts.services.accounts import (
    account_by_email,
    prove_email,
    read_by_email,
)

# How many wrong passwords one network address, and one IPv4 network (/24), may send for all
# accounts. Beyond the limits `WRONG_…`, the reply to a wrong password is 429, but the right
# password is still accepted, because all pupils of a school may have one address. Beyond the limits
# `MOST_…`, which honest users never reach, no password is checked. Neither applies to accounts that
# were registered or have logged in from this network.
WRONG_OF_ADDRESS = parse_rates("300/10minute 1000/day")
WRONG_OF_NETWORK = parse_rates("1000/10minute 3000/day")
MOST_OF_ADDRESS = parse_rates("3000/day")
MOST_OF_NETWORK = parse_rates("10000/day")


def log_in(
    work: Work, email: str, password: str, *, shared_device: bool = False
) -> tuple[User, TokenPair]:
    """Log a user in by password. From then on, the user is `work.actor`. With `shared_device`, the
    session ends 2 hours after its last use (decisions C9).

    Raises AuthenticationFailed for an unknown address, a wrong password, a deactivated account and
    an expired generated password; each takes the same time (decisions C5, D7). Raises
    RateLimitExceeded after too many wrong passwords, and SecondFactorAsked if the account has a
    second factor.
    """
    password = logins.password_of(email, password)
    try:
        with guessing(work, _password_guess(work, email), AuthenticationFailed):
            # Hash before the account is locked, so that no other request waits for the lock.
            matched = _with_password(work, read_by_email(work, email), password).password_hash
            user = _with_password(work, account_by_email(work, email), password, matched)
            # Earlier releases hashed a password as it was typed. Replace such a hash by a hash of
            # the normalised password (`password_form`).
            is_other_form = password != password_form(password)
            if is_other_form or hashing.is_outdated(user.password_hash):
                user.password_hash = hashing.hash_password(password)
    except AuthenticationFailed:
        count_act(work, _wrong_password(email))
        raise
    if second_factor.is_confirmed(work, user):
        raise SecondFactorAsked(challenges.make(work, user, shared_device), challenges.MINUTES)
    return user, _begin_session(work, user, shared_device=shared_device)


def _password_guess(work: Work, email: str) -> Act:
    rates = work.settings[AccountsSettings].wrong_passwords
    return Act(
        "accounts.password",
        email,
        of_account=rates,
        of_address=MOST_OF_ADDRESS,
        of_network=MOST_OF_NETWORK,
        own=OWN_GUESSES,
    )


def _wrong_password(email: str) -> Act:
    return Act(
        "accounts.wrong_password",
        email,
        of_address=WRONG_OF_ADDRESS,
        of_network=WRONG_OF_NETWORK,
        own=OWN_GUESSES,
    )


def answer_challenge(
    work: Work, challenge: str, code: str, *, email: str | None = None
) -> tuple[User, TokenPair]:
    """Finish a login, after the password was checked, with a code of the second factor.

    If `email` is given, it must be the account's.

    Raises InvalidOtp if the challenge, the code or the email is wrong, and RateLimitExceeded if too
    many codes were sent for the account.
    """
    user, is_shared = challenges.answer(work, challenge, code, email)
    return user, _begin_session(work, user, second_factor=True, shared_device=is_shared)


def _begin_session(
    work: Work, user: User, *, second_factor: bool = False, shared_device: bool
) -> TokenPair:
    if user.password_is_generated:
        _use_generated_password(work, user)
    tokens = sessions.start(work, user, second_factor=second_factor, shared_device=shared_device)
    security_log.record_committed(work, "login", session_id=work.identity.session_id)
    return tokens


def _with_password(
    work: Work, account: User | None, password: str, matched: str | None = None
) -> User:
    """Check the password, and return the account. Raises AuthenticationFailed if it is wrong.

    `matched` is a hash that the password is known to match. If it is the hash of the account, the
    password is not hashed again.
    """
    if account is not None and account.is_active and not _password_has_expired(work, account):
        password_hash: str | None = account.password_hash
    else:
        password_hash = None
    is_known = password_hash is not None and password_hash == matched
    # For an unknown address, `matches` compares with a dummy hash: the time must not reveal whether
    # an account exists.
    if not (is_known or hashing.matches(password_hash, password)) or account is None:
        security_log.record(work, "login_failed", user_id=account.id if account else None)
        raise AuthenticationFailed
    return account


def _password_has_expired(work: Work, user: User) -> bool:
    return (
        user.password_is_generated
        and user.password_ends_at is not None
        and user.password_ends_at <= work.now
    )


def _use_generated_password(work: Work, user: User) -> None:
    """Make the generated password permanent, and verify the email address of invited staff: they
    can only have the password from the email (decisions D17)."""
    user.password_is_generated = False
    user.password_ends_at = None
    if user.is_invited:
        prove_email(work, user)
