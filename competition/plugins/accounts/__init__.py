"""Accounts: registration, one-time passwords, login and logout, and staff's second factor."""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.limits.counters import Rates, parse_rates
from competition.core.settings import setting


@dataclass(frozen=True, kw_only=True)
class AccountsSettings:
    """Settings of one-time passwords, unused accounts, and the rate limits on guessing.

    A one-time password expires after `otp_minutes`, or after `otp_tries` wrong codes. `otp_rate`
    limits how many one-time passwords are sent to an email address for each purpose (decisions
    D12). Staff who have not verified their email address within `unverified_staff_minutes` are
    deleted. A generated password expires if it is not used within `generated_password_days`, and
    the code of a login slip within `slip_days`.

    A rate counts the actions that concern one account, from all network addresses together. A rate
    that ends in `_of_address` or `_of_network` counts the actions of one network address, or one
    IPv4 network (/24), on all accounts. The rates that begin with `wrong_` do not count correct
    passwords and codes.

    An account's own networks are those from which it was registered or has logged in within 90
    days, and those in the setting `competition.ratelimit.networks`. Even if a rate of the account
    is used up, each of its own networks may act within the limits `OWN_OTPS` and `OWN_GUESSES`.
    Even if a rate of an address or network for wrong one-time passwords is used up, accounts that
    were registered or have logged in there may be used within the limits `OWN_OF_ADDRESS` and
    `OWN_OF_NETWORK`.

    With `inviters_choose_passwords`, an invitation of staff may contain the password of the new
    account. The inviter then knows it, until the new member of staff changes it.
    """

    prefix: ClassVar[str] = "competition.accounts"
    otp_minutes: int = setting(10, minimum=1)
    otp_tries: int = setting(5, minimum=1)
    otp_rate: Rates = setting(parse_rates("3/10minute"), parse=parse_rates)
    wrong_otps: Rates = setting(parse_rates("20/day"), parse=parse_rates)
    wrong_otps_of_address: Rates = setting(parse_rates("60/day"), parse=parse_rates)
    wrong_otps_of_network: Rates = setting(parse_rates("300/day"), parse=parse_rates)
    wrong_passwords: Rates = setting(parse_rates("100/hour 300/day 600/7day"), parse=parse_rates)
    registrations_of_address: Rates = setting(parse_rates("60/hour"), parse=parse_rates)
    unverified_staff_minutes: int = setting(15, minimum=1)
    generated_password_days: int = setting(7, minimum=1)
    slip_days: int = setting(90, minimum=1)
    inviters_choose_passwords: bool = setting(True)


SETTINGS = AccountsSettings

# How many wrong passwords, and wrong codes, each network from which an account was registered or
# has logged in may send for the account, even if other networks have used up its limit. An owner
# mistypes a few times at most, so attackers can't lock the owner out.
OWN_GUESSES = parse_rates("5/day")
# How often a network address may request names of schools. The form for registration sends a
# request after every few letters, and all pupils of a school may share one address.
SCHOOL_NAMES = parse_rates("120/minute")


def includeme(config: Configurator) -> None:
    config.add_flag("candidate_registration", default=True, description="Candidates may register.")
    config.add_flag("staff_registration", default=True, description="Staff may register.")
    config.add_ceiling("schools", lambda settings: SCHOOL_NAMES, by="address")
    config.add_examples(
        names=["Hillside School"],
        access="eyJhbGciOiJIUzI1NiJ9.e30.YWNjZXNz",
        refresh="eyJhbGciOiJIUzI1NiJ9.e30.cmVmcmVzaA",
        otp="482915",
        password="rings and ideals",
        password2="rings and ideals",
        new_password="fields and forms",
        confirm_password="fields and forms",
        expires_in_minutes=10,
        support_email="support@league.example",
        challenge="kq3mY0cQyVYw7B0rTq3yq5cN9x2cF4wYx1m0n8a6b7c",
        code="482915",
        secret="JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
        otpauth_url=(
            "otpauth://totp/League:ada%40league.example"
            "?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=League"
        ),
        recovery_codes=["M4QW-7ZTA-KX2P-LD5R-H2VN-3CYE"],
    )
    config.scan()
