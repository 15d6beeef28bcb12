"""Create accounts, by registration or by invitation."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import and_, func, select
from sqlalchemy.exc import IntegrityError

from competition.core import audit, flags
from competition.core.audit import security_log
from competition.core.auth.access import CandidateRole, StaffRole
from competition.core.errors import Invalid
from competition.core.limits.acts import Act, count_act
from competition.core.mail import mails
from competition.core.messages import Message
from competition.core.users import accounts, networks, schools
from competition.core.users.models import Candidate, Staff, User, candidate_number
from competition.core.work import Work
from competition.plugins.accounts import AccountsSettings
from competition.plugins.accounts.errors import AccountAlreadyAuthenticated, RegistrationClosed
from competition.plugins.accounts.events import AccountRegistered
from competition.plugins.accounts.services.accounts import is_abandoned
from competition.plugins.accounts.services.passwords import NO_PASSWORD, check_same, hash_chosen

# The action of audit entries about invitations of staff.
INVITE = "staff.invite"


def check_candidate_may_register(work: Work) -> None:
    """Raise AccountAlreadyAuthenticated if the caller is logged in, and RegistrationClosed if
    candidates can't register now (decisions D9)."""
    _check_may_register(work, "candidate_registration")


def check_staff_may_register(work: Work) -> None:
    """Raise AccountAlreadyAuthenticated if the caller is logged in, and RegistrationClosed if staff
    can't register now (decisions D9)."""
    _check_may_register(work, "staff_registration")


def _check_may_register(work: Work, flag: str) -> None:
    if work.actor is not None:
        raise AccountAlreadyAuthenticated
    if not flags.enabled(work, flag):
        raise RegistrationClosed


def register_candidate(work: Work, fields: dict[str, Any]) -> None:
    """Create the account of a candidate, and email a code.

    Raises PasswordsDoNotMatch or PasswordValidationFailed for unsuitable passwords, and
    RateLimitExceeded after too many registrations from the network address. Raises Invalid if the
    email address is taken or reserved, or if candidates can't choose the school.
    """
    account = _new_account(work, fields)
    _check_address(work)
    number = work.db.scalar(select(func.next_value(candidate_number)))
    role = CandidateRole.SCREENING
    school = schools.chosen(work, fields["school"])
    candidate = Candidate(**account, role=role, school=school, number=number)
    _add(work, candidate, contributed=fields["contributed"])
    networks.remember(work, candidate.id)


def register_staff(work: Work, fields: dict[str, Any]) -> None:
    """Create the account of a member of staff, with the lowest rank, and email a code.

    Raises PasswordsDoNotMatch or PasswordValidationFailed for unsuitable passwords, and
    RateLimitExceeded after too many registrations from the network address. Raises Invalid if the
    email address is taken or reserved.
    """
    account = _new_account(work, fields)
    _check_address(work)
    staff = Staff(**account, role=StaffRole.VOLUNTEER, occupation=fields["occupation"])
    _add(work, staff)
    networks.remember(work, staff.id)


def _check_address(work: Work) -> None:
    """Count a registration from the caller's network address.

    Called after the passwords are checked, so that mistyped passwords don't count. Raises
    RateLimitExceeded if there were too many registrations.
    """
    rates = work.settings[AccountsSettings].registrations_of_address
    count_act(work, Act("accounts.registration", of_address=rates))


def invite_staff(work: Work, fields: dict[str, Any]) -> Staff:
    """Create an account for a member of staff, even while registration is closed. If no password is
    given, one is generated (decisions D17). The audit trail and the security log record the role.

    Raises Invalid if a password is given but inviters may not choose passwords, or if the email
    address is taken or reserved. Raises PasswordsDoNotMatch or PasswordValidationFailed for a
    password that is given.
    """
    is_generated = fields["password"] is None
    if not is_generated and not work.settings[AccountsSettings].inviters_choose_passwords:
        raise Invalid.field(
            "password",
            Message(
                "Leave out both passwords. The service then emails a password that only the new"
                " member of staff knows."
            ),
        )
    account = _new_account(work, {**fields, "generate_password": is_generated})
    staff = Staff(
        **account,
        role=fields["role"],
        occupation=fields["occupation"],
        is_invited=True,
        password_is_chosen_by_inviter=not is_generated,
    )
    _add(work, staff, "accounts.invitation")
    audit.record(work, INVITE, target=staff.id, new=staff.role)
    security_log.record_committed(work, "role_changed", user_id=staff.id, new=staff.role)
    return staff


def _new_account(work: Work, fields: dict[str, Any]) -> dict[str, Any]:
    is_generated = fields["generate_password"]
    return {
        "email": fields["email"],
        # A generated password is created when its email is prepared.
        "password_hash": NO_PASSWORD if is_generated else _chosen(work, fields),
        "password_is_generated": is_generated,
        "first_name": fields["first_name"],
        "last_name": fields["last_name"],
        "phone": fields["phone"],
        "language": fields.get("language"),
        "date_joined": work.now,
        "updated_at": work.now,
    }


def _chosen(work: Work, fields: dict[str, Any]) -> str:
    """The hash of the password that the user has chosen, after checking it.

    Raises PasswordsDoNotMatch if the two passwords differ, and PasswordValidationFailed if the
    password is too weak.
    """
    own = (fields["first_name"], fields["last_name"], fields["email"], fields.get("school"))
    check_same(fields["password"], fields["password2"])
    return hash_chosen(work, fields["password"], "password", *own)


def _add(
    work: Work,
    user: User,
    mail_name: str = "accounts.registration",
    contributed: Mapping[str, Any] | None = None,
) -> None:
    accounts.check_registrable(user.email)
    accounts.delete_all(work, and_(User.email == user.email, is_abandoned(work)))
    work.db.add(user)
    try:
        work.db.flush()
    except IntegrityError:
        raise Invalid.field(
            "email",
            Message(
                "An account with this email address exists already. Use this account, or another "
                "address."
            ),
        ) from None
    work.emit(AccountRegistered(work, user.id, user.kind, contributed or {}))
    mails.send(work, mail_name, user.email, user_id=str(user.id))
