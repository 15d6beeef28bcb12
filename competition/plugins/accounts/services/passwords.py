"""Passwords of accounts: chosen, generated, changed."""

from collections.abc import Iterable

from competition.core.auth import passwords, sessions
from competition.core.users.models import User
from competition.core.work import Work
from competition.plugins.accounts.errors import PasswordsDoNotMatch, PasswordValidationFailed
from competition.plugins.accounts.services import codes

# In the place of a hash: no password matches it.
NO_PASSWORD = ""


def check_same(password: str, repeated: str) -> None:
    """Raises PasswordsDoNotMatch."""
    if password != repeated:
        raise PasswordsDoNotMatch


def hash_chosen(password: str, field: str, personal: Iterable[str]) -> str:
    """`field` is the one that the reasons are told for. Raises PasswordValidationFailed."""
    problems = passwords.problems(password, personal)
    if problems:
        raise PasswordValidationFailed(problems[0], errors={field: problems})
    return passwords.hash_password(password)


def generate_password(user: User) -> str:
    """A new password for an account that is locked."""
    password = passwords.generate()
    user.password_hash = passwords.hash_password(password)
    return password


def change_password(work: Work, email: str, code: str, new: str, repeated: str) -> None:
    """Uses up the code and ends every session of the user (decisions C14, D15).

    Raises PasswordsDoNotMatch, InvalidOtp, PasswordValidationFailed, in this order: what a password
    may not be like is for whoever has the code.
    """
    check_same(new, repeated)
    user, stored = codes.check_code(work, email, "password", code)
    personal = (user.first_name, user.last_name, user.email)
    user.password_hash = hash_chosen(new, "new_password", personal)
    user.password_is_generated = False
    user.updated_at = work.now
    work.db.delete(stored)
    sessions.end_all(work, user.id)
