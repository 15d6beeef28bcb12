"""Check, generate and change the passwords of accounts."""

from datetime import timedelta

from competition.core.audit import security_log
from competition.core.auth import hashing, passwords
from competition.core.runtime import ServiceSettings
from competition.core.texts import password_form
from competition.core.users import sessions
from competition.core.users.events import CredentialsChanged
from competition.core.users.models import Candidate, User
from competition.core.work import Work
from competition.plugins.accounts import AccountsSettings
from competition.plugins.accounts.errors import PasswordsDoNotMatch, PasswordValidationFailed
from competition.plugins.accounts.services import challenges, codes
from competition.plugins.accounts.services.accounts import prove_email

# Stored instead of a hash. No password matches it.
NO_PASSWORD = ""


def check_same(password: str, repeated: str) -> None:
    """Check that both passwords are the same. Raises PasswordsDoNotMatch if they are not."""
    if password_form(password) != password_form(repeated):
        raise PasswordsDoNotMatch


def hash_chosen(work: Work, password: str, field: str, *own: str | None) -> str:
    """Check a password that a user has chosen, and return its hash.

    `own` are the account's names, email address and school: the password may not be like them.
    Raises PasswordValidationFailed with the reasons for `field`.
    """
    words = [work.settings[ServiceSettings].name, *filter(None, own)]
    problems = passwords.problems(password, words)
    if problems:
        raise PasswordValidationFailed(problems[0], errors={field: problems})
    return hashing.hash_password(password)


def generate_password(work: Work, user: User) -> str:
    """Set and return a new password of a locked account. It expires if it is not used within
    `generated_password_days`."""
    password = passwords.generate()
    user.password_hash = hashing.hash_password(password)
    days = work.settings[AccountsSettings].generated_password_days
    user.password_ends_at = work.now + timedelta(days=days)
    return password


def change_password(work: Work, email: str, code: str, new: str, repeated: str) -> None:
    """Set a new password with a code that was emailed.

    This uses up the code, ends all sessions of the user (decisions C14, D15), and notifies the user
    by email. The code also verifies the email address that it was sent to.

    Raises PasswordsDoNotMatch, RateLimitExceeded, InvalidOtp or PasswordValidationFailed, checked
    in this order: only a user with the right code learns why a password is rejected.
    """
    check_same(new, repeated)
    user, stored = codes.check_code(work, email, "password", code)
    school = user.school if isinstance(user, Candidate) else None
    own = (user.first_name, user.last_name, user.email, school)
    user.password_hash = hash_chosen(work, new, "new_password", *own)
    user.password_is_generated = user.password_is_chosen_by_inviter = False
    user.password_ends_at = None
    user.updated_at = work.now
    work.db.delete(stored)
    sessions.end_all(work, user.id)
    challenges.end_all(work, user)
    security_log.record_committed(work, "password_changed", user_id=user.id)
    prove_email(work, user)
    work.emit(CredentialsChanged(work, user.id, "password"))
