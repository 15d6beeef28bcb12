from typing import Any

from competition.core import audit
from competition.core.audit import security_log
from competition.core.work import Work
from competition.plugins.accounts.services import registration
from competition.plugins.people.services.roles import check_may_give


def invite(work: Work, fields: dict[str, Any]) -> None:
    """Create an account for a member of staff, with a role below the actor's own (decisions D17).

    Raises PermissionDenied, PasswordsDoNotMatch, PasswordValidationFailed, or Invalid if the email
    address is taken or reserved, or if a password is given but inviters may not choose it.
    """
    check_may_give(work, fields["role"])
    staff = registration.invite_staff(work, fields)
    audit.record(work, "staff.invite", target=staff.id, new=staff.role)
    security_log.record_committed(work, "role_changed", user_id=staff.id, new=staff.role)
