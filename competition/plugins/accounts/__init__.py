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
    D12), and `otps_of_account` how many for all purposes together. Staff who have not verified
    their email address within `unverified_staff_minutes` are deleted. A generated password expires
    if it is not used within `generated_password_days`.

    A rate counts the actions that concern one account, from all network addresses together. A rate
    that ends in `_of_address` or `_of_network` counts the actions of one network address, or one
    IPv4 network (/24), on all accounts. If such a rate is used up, some networks may still act on
    the account, at the rates that begin with `own_`: configured networks, and networks from which
    the account was registered or has logged in within 90 days. The rates that begin with `wrong_`
    do not count correct passwords and codes.

    `school_names` limits how often a network address may request names of schools. An address in a
    configured network has the rate of that network.

    With `inviters_choose_passwords`, an invitation of staff may contain the password of the new
    account. The inviter then knows it, until the new member of staff changes it.

    `password_proofs` limits how often a user who is logged in may send the password again, for
    example to delete the account or to set up a second factor.
    """

    prefix: ClassVar[str] = "competition.accounts"
    otp_minutes: int = setting(10, minimum=1)
    otp_tries: int = setting(5, minimum=1)
    otp_rate: Rates = setting(parse_rates("3/10minute"), parse=parse_rates)
    otps_of_account: Rates = setting(parse_rates("10/day"), parse=parse_rates)
    own_otp_rate: Rates = setting(parse_rates("1/10minute 5/day"), parse=parse_rates)
    wrong_otps: Rates = setting(parse_rates("20/day"), parse=parse_rates)
    wrong_otps_of_address: Rates = setting(parse_rates("60/day"), parse=parse_rates)
    wrong_otps_of_network: Rates = setting(parse_rates("300/day"), parse=parse_rates)
    wrong_passwords: Rates = setting(parse_rates("100/hour 300/day 600/7day"), parse=parse_rates)
    own_guesses: Rates = setting(parse_rates("5/day"), parse=parse_rates)
    password_proofs: Rates = setting(parse_rates("5/hour"), parse=parse_rates)
    registrations_of_address: Rates = setting(parse_rates("60/hour"), parse=parse_rates)
    school_names: Rates = setting(parse_rates("120/minute"), parse=parse_rates)
    unverified_staff_minutes: int = setting(15, minimum=1)
    generated_password_days: int = setting(7, minimum=1)
    inviters_choose_passwords: bool = setting(True)


@dataclass(frozen=True, kw_only=True)
class SecondFactorSettings:
    """Settings of the second factor.

    After the password, a login has to be finished within `challenge_minutes`. After
    `challenge_tries` wrong codes, the login has to be started again. `rate` limits how many codes
    may be sent for an account, right or wrong, in all its logins.
    """

    prefix: ClassVar[str] = "competition.second_factor"
    challenge_minutes: int = setting(5, minimum=1)
    challenge_tries: int = setting(5, minimum=1)
    rate: Rates = setting(parse_rates("20/hour 50/day"), parse=parse_rates)


SETTINGS = AccountsSettings, SecondFactorSettings


def includeme(config: Configurator) -> None:
    config.add_flag("candidate_registration", default=True, description="Candidates may register.")
    config.add_flag("staff_registration", default=True, description="Staff may register.")
    config.add_ceiling(
        "schools", lambda settings: settings[AccountsSettings].school_names, by="address"
    )
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
