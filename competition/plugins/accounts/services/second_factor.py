"""The second factor of staff: codes of an authenticator app (RFC 6238), and recovery codes.

The account is locked before its second factor is used or changed, so that a code is accepted only
once.
"""

import base64
import hashlib
import hmac
import logging
import secrets
from datetime import timedelta
from typing import Any
from uuid import UUID

import pyotp
from sqlalchemy import delete, func, select, update

from competition.core import audit
from competition.core.audit import security_log
from competition.core.auth.keyring import UnknownKey
from competition.core.errors import Invalid, NotFound, PermissionDenied
from competition.core.jobs.housekeeping import retention
from competition.core.limits.acts import Act, count_act
from competition.core.limits.counters import parse_rates
from competition.core.messages import Message
from competition.core.texts import code_form
from competition.core.users import accounts, callers, sessions
from competition.core.users.credentials import AuthSession
from competition.core.users.events import CredentialsChanged
from competition.core.users.models import Staff, User
from competition.core.users.personal_data import personal_data
from competition.core.work import Work
from competition.plugins.accounts import OWN_GUESSES
from competition.plugins.accounts.errors import InvalidOtp
from competition.plugins.accounts.models import LoginChallenge, RecoveryCode, SecondFactor
from competition.plugins.accounts.presenters import SecondFactorStatus
from competition.plugins.accounts.services import proofs

log = logging.getLogger(__name__)

# The purpose for which the keyring encrypts the apps' secrets.
ENCRYPTED_FOR = "second factor"
# How long a code is valid, in seconds; and how many codes before and after the current one are also
# accepted, because clocks differ.
STEP = 30
LEEWAY = 1
RECOVERY_CODES = 10
# How many codes of the second factor, right or wrong, may be sent for an account. With 50 guesses
# per day, an attacker who has the password needs years to guess one of a million codes.
CODES = parse_rates("20/hour 50/day")
# How long a new secret can be confirmed. The confirmation needs no password, because the request
# for the secret needed the password or a recent login.
CONFIRMED_WITHIN = timedelta(minutes=10)
# 120 random bits: too many to find a code from its digest by trying all codes.
RECOVERY_BYTES = 15
# How many characters of a recovery code stand between two dashes.
GROUP = 4


def begin(work: Work, password: str | None) -> pyotp.TOTP:
    """Create a secret for the actor's authenticator app.

    It has no effect until a code from the app is confirmed, in the same session and within 10
    minutes. It replaces an earlier secret that was not confirmed.

    Raises Invalid if the password is wrong. Without a password, raises Invalid if the login is more
    than 5 minutes old. Also raises Invalid if the actor has a confirmed second factor already, or
    while another session of the actor has a secret to confirm. Raises RateLimitExceeded after too
    many passwords.
    """
    proofs.check_password_or_login(work, password)
    user = _own_account(work)
    factor = work.db.get(SecondFactor, user.id)
    if factor is not None and factor.confirmed_at is not None:
        raise Invalid(
            Message("You already have a second factor. Remove it before you set up another one.")
        )
    if factor is not None and _is_begun_elsewhere(work, factor):
        raise Invalid(
            Message(
                "You are setting up a second factor in another session. Finish it there, end that"
                " session, or try again in 10 minutes."
            )
        )
    secret = pyotp.random_base32()
    encrypted = work.runtime.keyring.encrypt(ENCRYPTED_FOR, secret)
    work.db.merge(
        SecondFactor(
            user_id=user.id,
            secret=encrypted,
            confirmed_at=None,
            last_step=None,
            begun_at=work.now,
            begun_in=work.identity.session_id,
        )
    )
    audit.record(work, "second_factor.begin", target=user.id)
    return pyotp.TOTP(secret, name=user.email, issuer=work.runtime.service.name)


def _is_begun_elsewhere(work: Work, factor: SecondFactor) -> bool:
    """Whether another session, which has not ended, can still confirm this secret."""
    session_id = factor.begun_in
    if session_id is None or session_id == work.identity.session_id:
        return False
    return _can_be_confirmed(work, factor) and bool(callers.living(work, [session_id]))


def _can_be_confirmed(work: Work, factor: SecondFactor) -> bool:
    return factor.begun_at is not None and factor.begun_at > work.now - CONFIRMED_WITHIN


def confirm(work: Work, code: str) -> list[str]:
    """Confirm the actor's app by a code from it, and return the recovery codes.

    From then on, logins require a code. The actor's other sessions end. Only the digests of the
    recovery codes are stored.

    Raises Invalid if this session has no unconfirmed secret from the last 10 minutes. Raises
    InvalidOtp for a wrong code, and RateLimitExceeded after too many codes.
    """
    user = _own_account(work)
    factor = work.db.get(SecondFactor, user.id)
    if (
        factor is None
        or factor.confirmed_at is not None
        or factor.begun_in != work.identity.session_id
        or not _can_be_confirmed(work, factor)
    ):
        raise Invalid(Message("There is no second factor to confirm. Request a secret first."))
    use(work, user, code)
    factor.confirmed_at = work.now
    factor.begun_in = None
    codes = _new_recovery_codes(work, user)
    _prove(work)
    audit.record(work, "second_factor.confirm", target=user.id)
    _emit_change(work, user)
    return codes


def _prove(work: Work) -> None:
    """Record that the actor has proved a second factor in this session.

    All other sessions of the actor end, because an attacker who has only the password may have
    started them.
    """
    session_id = work.identity.session_id
    sessions.end_all(work, work.identity.user_id, but=session_id)
    work.db.execute(
        update(AuthSession).where(AuthSession.id == session_id).values(second_factor=True)
    )


def renew_recovery_codes(work: Work, password: str, code: str) -> list[str]:
    """Replace the actor's recovery codes by new ones, and return them.

    Raises NotFound if the actor has no second factor. Raises Invalid for a wrong password,
    InvalidOtp for a wrong code, and RateLimitExceeded after too many passwords or codes.
    """
    user = _own_account(work)
    if not is_confirmed(work, user):
        raise NotFound(Message("You have no second factor. Set one up first."))
    proofs.check_password(work, password)
    use(work, user, code)
    work.db.execute(delete(RecoveryCode).where(RecoveryCode.user_id == user.id))
    codes = _new_recovery_codes(work, user)
    audit.record(work, "second_factor.renew", target=user.id)
    _emit_change(work, user)
    return codes


def _new_recovery_codes(work: Work, user: User) -> list[str]:
    """Create recovery codes. Only their digests are stored."""
    codes = [_recovery_code() for _ in range(RECOVERY_CODES)]
    work.db.add_all(
        RecoveryCode(digest=digest(each.replace("-", "")), user_id=user.id) for each in codes
    )
    return codes


def remove(work: Work, code: str) -> None:
    """Remove the actor's second factor.

    Raises PermissionDenied if the actor's role requires a second factor, and NotFound if the actor
    has none. Raises InvalidOtp for a wrong code, and RateLimitExceeded after too many codes.
    """
    user = _own_account(work)
    if callers.wants_second_factor(work, user.role):
        raise PermissionDenied(Message("Your role requires a second factor. You can't remove it."))
    if not is_confirmed(work, user):
        raise NotFound
    use(work, user, code)
    delete_of(work, user)
    _clear_proofs(work, user.id)
    audit.record(work, "second_factor.remove", target=user.id)
    _emit_change(work, user)


def _clear_proofs(work: Work, user_id: UUID) -> None:
    """Mark all sessions of a user as started without a second factor, because it was removed."""
    work.db.execute(
        update(AuthSession).where(AuthSession.user_id == user_id).values(second_factor=False)
    )


def reset(work: Work, user_id: UUID) -> None:
    """Remove the second factor of a member of staff who has lost the app and the recovery codes,
    and end all their sessions.

    Raises NotFound if the account is not a staff account, or has no second factor.
    """
    user = accounts.locked(work, Staff, user_id)
    if work.db.get(SecondFactor, user.id) is None:
        raise NotFound(Message("${email} has no second factor.", email=user.email))
    delete_of(work, user)
    sessions.end_all(work, user.id)
    audit.record(work, "second_factor.reset", target=user.id)
    _emit_change(work, user)


def _emit_change(work: Work, user: User) -> None:
    work.emit(CredentialsChanged(work, user.id, "second_factor"))


def status(work: Work) -> SecondFactorStatus:
    """Whether the actor has a second factor, and the number of unused recovery codes."""
    user_id = work.identity.user_id
    return SecondFactorStatus(
        is_set_up=_is_confirmed(work, user_id),
        recovery_codes_left=_codes_left(work, user_id),
    )


def is_confirmed(work: Work, user: User) -> bool:
    """Whether the user's logins require a code. Only staff can have a second factor."""
    return user.kind == "staff" and _is_confirmed(work, user.id)


def _is_confirmed(work: Work, user_id: UUID) -> bool:
    factor = work.db.get(SecondFactor, user_id)
    return factor is not None and factor.confirmed_at is not None


def _codes_left(work: Work, user_id: UUID) -> int:
    unused = select(func.count()).where(RecoveryCode.user_id == user_id)
    return work.db.scalar(unused) or 0


def use(work: Work, user: User, code: str) -> None:
    """Use up a code from the app, or a recovery code.

    The audit trail records that a right or a wrong code was sent, but not the code. Both count
    towards the rate limit. Raises InvalidOtp for a wrong code, and RateLimitExceeded after too many
    codes.
    """
    act = Act("accounts.second_factor", str(user.id), of_account=CODES, own=OWN_GUESSES)
    count_act(work, act)
    typed = code_form(code, letters=True).upper()
    # Try both, so that the time does not depend on the kind of code.
    by_app = _use_app_code(work, user, typed)
    by_recovery_code = _use_recovery_code(work, user, typed)
    if not by_app and not by_recovery_code:
        audit.record(work, "second_factor.refuse", target=user.id)
        security_log.record(work, "second_factor_failed", user_id=user.id)
        raise InvalidOtp
    kind = "app" if by_app else "recovery code"
    audit.record(work, "second_factor.use", target=user.id, new=kind)


def _use_app_code(work: Work, user: User, code: str) -> bool:
    factor = work.db.get(SecondFactor, user.id)
    if factor is None:
        return False
    try:
        secret = work.runtime.keyring.decrypt(ENCRYPTED_FOR, factor.secret)
    except UnknownKey:
        log.error("the second factor of %s: no signing key decrypts it", user.id)
        return False
    app = pyotp.TOTP(secret, interval=STEP)
    present = int(work.now.timestamp()) // STEP
    steps = range(present - LEEWAY, present + LEEWAY + 1)
    # A list, not a generator, so that every step is compared.
    right = [
        step
        for step in steps
        if hmac.compare_digest(app.generate_otp(step).encode(), code.encode())
    ]
    # RFC 6238, section 5.2: an accepted code is not accepted again, nor are the codes before it.
    fresh = [step for step in right if factor.last_step is None or step > factor.last_step]
    if not fresh:
        return False
    factor.last_step = fresh[0]
    return True


def _use_recovery_code(work: Work, user: User, code: str) -> bool:
    used = delete(RecoveryCode).where(
        RecoveryCode.digest == digest(code), RecoveryCode.user_id == user.id
    )
    return work.db.execute(used.returning(RecoveryCode.digest)).one_or_none() is not None


def _recovery_code() -> str:
    letters = base64.b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode()
    return "-".join(letters[at : at + GROUP] for at in range(0, len(letters), GROUP))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _own_account(work: Work) -> Staff:
    """The actor's account, locked."""
    return accounts.locked(work, Staff, work.identity.user_id)


@retention("accounts.second_factors")
def renew_encryption(work: Work) -> None:
    """Encrypt secrets again with the current signing key, which is the first in the settings, if an
    older key encrypted them. The operator can then remove the older key."""
    for factor in work.db.scalars(
        select(SecondFactor).order_by(SecondFactor.user_id).with_for_update()
    ):
        try:
            factor.secret = work.runtime.keyring.renewed(ENCRYPTED_FOR, factor.secret)
        except UnknownKey:
            log.error("the second factor of %s: no signing key decrypts it", factor.user_id)


def export(work: Work, user: User) -> dict[str, Any] | None:
    """When the user's second factor was confirmed, and the number of unused recovery codes, without
    secrets. None if the user has no second factor."""
    factor = work.db.get(SecondFactor, user.id)
    if factor is None:
        return None
    return {
        "confirmed_at": factor.confirmed_at,
        "recovery_codes": _codes_left(work, user.id),
    }


@personal_data("second factor", export=export)
def delete_of(work: Work, user: User) -> None:
    """Delete the user's second factor, recovery codes and unfinished logins."""
    for table in (SecondFactor, RecoveryCode, LoginChallenge):
        work.db.execute(delete(table).where(table.user_id == user.id))
