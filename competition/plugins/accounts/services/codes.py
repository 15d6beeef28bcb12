"""One-time passwords: create, send and check them, and verify email addresses (decisions D10 to
D15)."""

import secrets
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from competition.core.audit import security_log
from competition.core.limits.acts import Act, count_act, guessing
from competition.core.limits.counters import parse_rates
from competition.core.mail import mails
from competition.core.users import sessions
from competition.core.users.models import User
from competition.core.users.personal_data import personal_data
from competition.core.work import Work
from competition.plugins.accounts import OWN_GUESSES, AccountsSettings
from competition.plugins.accounts.errors import InvalidOtp
from competition.plugins.accounts.models import OneTimePassword, Purpose
from competition.plugins.accounts.services import challenges
from competition.plugins.accounts.services.accounts import account_by_email, prove_email

# The purpose for which the keyring signs the codes.
SIGNED_FOR = "one-time password"
# How many codes are sent to an email address for all purposes together. A user needs few. More
# would only let strangers fill a mailbox, or guess more often.
OTPS_OF_ACCOUNT = parse_rates("10/day")
# How many codes each network from which an account was registered or has logged in may request for
# the account, even if other networks have used up its limits. So attackers can't keep the owner
# from getting a code.
OWN_OTPS = parse_rates("1/10minute 5/day")
# How many wrong codes a network address, and an IPv4 network (/24), may send for the accounts that
# were registered there or have logged in there, even if the limits in the settings are used up.
OWN_OF_ADDRESS = parse_rates("120/day")
OWN_OF_NETWORK = parse_rates("600/day")
# The id to query if there is no account, so that the same statements run as for a known address.
NOBODY = UUID(int=0)


def send_code(work: Work, purpose: Purpose, email: str) -> None:
    """Email a new code.

    The job that sends the email looks up the account, so the request takes the same time for every
    address. Requests are counted for known and unknown addresses alike (decisions D13).

    Raises RateLimitExceeded if too many codes were requested for the address.
    """
    name = f"accounts.{purpose}_code"
    of_purpose = work.settings[AccountsSettings].otp_rate
    count_act(work, Act(name, email, of_account=of_purpose, own=OWN_OTPS))
    # Counted last, because requests over the first limit send nothing.
    count_act(work, Act("accounts.codes", email, of_account=OTPS_OF_ACCOUNT, own=OWN_OTPS))
    mails.send(work, name, email)


def verify_email(work: Work, email: str, code: str) -> None:
    """Verify an email address with the code that was sent to it, and use the code up.

    All sessions of the account end, except the one whose token was sent along: someone else may
    have registered the address, and logged in. If the address is already verified, no session ends.

    Raises InvalidOtp for a wrong or expired code, and RateLimitExceeded after too many wrong codes.
    """
    user, stored = check_code(work, email, "email", code)
    work.db.delete(stored)
    if user.is_email_verified:
        # After the code was sent, the user verified the address in another way: by a login with the
        # generated password of an invitation.
        return
    is_own = work.actor is not None and work.actor.user_id == user.id
    sessions.end_all(work, user.id, but=work.identity.session_id if is_own else None)
    challenges.end_all(work, user)
    prove_email(work, user)


def check_code(work: Work, email: str, purpose: Purpose, code: str) -> tuple[User, OneTimePassword]:
    """Check a code that was emailed for this purpose. Returns the account, which is locked, and the
    row of the code.

    To use the code up, the caller deletes the row. A code becomes invalid after `otp_tries` wrong
    guesses (decisions D10). Rate limits also count the guesses, for known and unknown addresses
    alike (decisions D19).

    Raises InvalidOtp if the code is wrong or expired, or if no account has this address. Raises
    RateLimitExceeded after too many wrong codes.
    """
    settings = work.settings[AccountsSettings]
    guess = Act(
        "accounts.otp",
        email,
        of_account=settings.wrong_otps,
        own=OWN_GUESSES,
        of_address=settings.wrong_otps_of_address,
        of_network=settings.wrong_otps_of_network,
        own_of_address=OWN_OF_ADDRESS,
        own_of_network=OWN_OF_NETWORK,
    )
    with guessing(work, guess, InvalidOtp):
        user = account_by_email(work, email)
        stored = work.db.get(OneTimePassword, (user.id if user else NOBODY, purpose))
        if user is None or stored is None or not _is_right(work, stored, code):
            security_log.record(
                work, "code_failed", user_id=user.id if user else None, purpose=purpose
            )
            raise InvalidOtp
        return user, stored


def _is_right(work: Work, stored: OneTimePassword, code: str) -> bool:
    if stored.expires_at <= work.now or stored.tries >= work.settings[AccountsSettings].otp_tries:
        return False
    signed = _signed(stored.user_id, stored.purpose, code)
    if work.runtime.keyring.verifies(SIGNED_FOR, signed, stored.digest):
        return True
    stored.tries += 1
    return False


def make_one_time_password(work: Work, user: User, purpose: Purpose) -> str:
    """Create a six-digit code for a locked account. It replaces the previous one."""
    code = f"{secrets.randbelow(10**6):06}"
    lifetime = timedelta(minutes=work.settings[AccountsSettings].otp_minutes)
    values = {
        "digest": work.runtime.keyring.sign(SIGNED_FOR, _signed(user.id, purpose, code)),
        "expires_at": work.now + lifetime,
        "tries": 0,
    }
    work.db.execute(
        insert(OneTimePassword)
        .values(user_id=user.id, purpose=purpose, **values)
        .on_conflict_do_update(index_elements=["user_id", "purpose"], set_=values)
    )
    return code


def export_codes(work: Work, user: User) -> list[dict[str, Any]]:
    """Purpose and expiry of the user's unused codes, without the codes themselves."""
    found = work.db.scalars(select(OneTimePassword).where(OneTimePassword.user_id == user.id))
    return [{"purpose": each.purpose, "expires_at": each.expires_at} for each in found]


@personal_data("one-time passwords", export=export_codes)
def delete_of(work: Work, user: User) -> None:
    """Delete the user's codes."""
    work.db.execute(delete(OneTimePassword).where(OneTimePassword.user_id == user.id))


def delete_expired(work: Work) -> None:
    work.db.execute(delete(OneTimePassword).where(OneTimePassword.expires_at <= work.now))


def _signed(user_id: UUID, purpose: str, code: str) -> str:
    return f"{user_id}:{purpose}:{code}"
