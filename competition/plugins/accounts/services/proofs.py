"""Proofs that the caller is the owner of the account, for actions for which a token is not enough.

Someone else may have found the token, for example on a shared computer.
"""

from datetime import timedelta

from competition.core.auth import hashing
from competition.core.errors import Invalid, InvalidToken
from competition.core.limits.acts import Act, count_act
from competition.core.limits.counters import parse_rates
from competition.core.messages import Message
from competition.core.users import accounts, logins, sessions
from competition.core.users.models import User
from competition.core.work import Work

# How long after a login `check_password_or_login` needs no password.
FRESH_FOR = timedelta(minutes=5)
# How often a user who is logged in may send the password again. Users rarely need to, and the limit
# lets a thief of a session guess only a few passwords.
PROOFS = parse_rates("5/hour")


def check_password(work: Work, password: str) -> User:
    """Check the actor's password, and return the account, locked.

    Raises Invalid if the password is wrong, and RateLimitExceeded after too many tries. Raises
    InvalidToken if another request has just deactivated the account, which ended its sessions.
    """
    user_id = work.identity.user_id
    count_act(work, Act("accounts.password_proof", str(user_id), of_account=PROOFS))
    user = accounts.locked(work, User, user_id)
    if not user.is_active:
        raise InvalidToken
    if not hashing.matches(user.password_hash, logins.password_of(user.email, password)):
        raise Invalid.field("password", Message("The password is incorrect. Type it again."))
    return user


def check_password_or_login(work: Work, password: str | None) -> None:
    """Check the actor's password. If `password` is None, check that the login is at most 5 minutes
    old.

    Raises Invalid if the check fails, and RateLimitExceeded after too many tries.
    """
    if password is not None:
        check_password(work, password)
    elif not sessions.began_within(work, FRESH_FOR):
        raise Invalid.field(
            "password",
            Message("Send your password, because you logged in more than 5 minutes ago."),
        )
