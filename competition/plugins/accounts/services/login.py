"""Logging in, and the sessions that come of it."""

from competition.core.auth import passwords, sessions
from competition.core.auth.sessions import TokenPair
from competition.core.errors import AuthenticationFailed
from competition.core.users.models import User
from competition.core.work import Work
from competition.plugins.accounts.events import EmailProven
from competition.plugins.accounts.services.accounts import account_by_email


def log_in(work: Work, email: str, password: str) -> tuple[User, TokenPair]:
    """From here on the user is the actor. Raises AuthenticationFailed, the same one in the same
    time for an unknown address, a wrong password and a deactivated account (decisions C5)."""
    user = account_by_email(work, email)
    password_hash = user.password_hash if user is not None and user.is_active else None
    if not passwords.matches(password_hash, password) or user is None:
        raise AuthenticationFailed
    if user.password_is_generated:
        _use_generated_password(work, user)
    tokens = sessions.start(work, user)
    work.actor = sessions.identify(work, tokens.access)
    return user, tokens


def _use_generated_password(work: Work, user: User) -> None:
    """Whoever was invited has it from the mail alone, which proves the address (decisions D17)."""
    user.password_is_generated = False
    if user.is_invited and not user.is_email_verified:
        user.is_email_verified = True
        user.updated_at = work.now
        work.db.flush()
        work.emit(EmailProven(work, user.id))
