from typing import Any

from competition.core import repeats
from competition.core.work import Work
from competition.plugins.accounts.services import registration
from competition.plugins.people.services.roles import check_may_give

PASSWORDS = ("password", "password2")


def invite(work: Work, fields: dict[str, Any], idempotency_key: str | None = None) -> None:
    """Create an account for a member of staff, with a role below the actor's own (decisions D17).

    A repeated request with the same idempotency key changes nothing, whatever its passwords are:
    not even a hash of them is stored with the key.

    Raises PermissionDenied if the role is not below the actor's own. Raises Invalid if the email
    address is taken or reserved, or if a password is given but inviters may not choose it. Raises
    PasswordsDoNotMatch or PasswordValidationFailed for a password that is given, and
    IdempotencyKeyReused if the key was used for another invitation.
    """
    check_may_give(work, fields["role"])
    content = {name: value for name, value in fields.items() if name not in PASSWORDS}
    act = registration.INVITE
    repeats.once(work, act, idempotency_key, content, lambda: _invite(work, fields))


def _invite(work: Work, fields: dict[str, Any]) -> None:
    registration.invite_staff(work, fields)
